"""SARIF of diagnoses and comparisons: valid by the schema, with places, levels and stable fingerprints."""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from compare_documents import diagnosis, finding, kernel, launches
from jsonschema import Draft4Validator

from ncuanalyze.compare import compare
from ncuanalyze.diagnosis import Severity, SourceLine
from ncuanalyze.render.comparison import render_comparison
from ncuanalyze.render.sarif import render
from ncuanalyze.render.sarif_log import artifact_location

SCHEMA = Path(__file__).parents[2] / "fixtures/sarif/sarif-2.1.0-rtm.5.json.xz"
HOSTILE = 'k<"&[x](javascript:1)]>\u202e\x1b[31m\n'


@cache
def validator() -> Draft4Validator:
    return Draft4Validator(json.loads(lzma.decompress(SCHEMA.read_bytes())))


def run_of(text: str) -> dict[str, Any]:
    log = json.loads(text)
    assert [error.message for error in validator().iter_errors(log)] == []
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


def test_the_schema_would_notice() -> None:
    assert list(validator().iter_errors({"version": "2.1.0", "runs": [{"tool": {}}]}))


def test_a_finding_is_a_result_at_its_line() -> None:
    found = finding("uncoalesced_global_access", 2.0, line=12, severity=Severity.ERROR, advice=("Fix it.",))
    run = run_of(render(diagnosis(kernel(demangled="gemm<float>(float*)", findings=(found,)))))
    (result,) = run["results"]
    assert (result["ruleId"], result["level"], result["rank"]) == ("uncoalesced_global_access", "error", 50)
    (place,) = result["locations"]
    assert place["physicalLocation"]["artifactLocation"] == {"uri": "src/gemm.cu", "uriBaseId": "%SRCROOT%"}
    assert place["physicalLocation"]["region"] == {"startLine": 12}
    assert place["logicalLocations"][0]["fullyQualifiedName"] == "gemm<float>(float*)"
    assert "Estimated gain 2.0×" in result["message"]["text"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["help"]["text"] == "Fix it."


@pytest.mark.parametrize(
    ("severity", "level"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")]
)
def test_levels(severity: Severity, level: str) -> None:
    run = run_of(render(diagnosis(kernel(findings=(finding("a", None, severity=severity),)))))
    assert [(item["level"], "rank" in item) for item in run["results"]] == [(level, False)]


def test_without_a_line_the_result_is_about_the_report() -> None:
    run = run_of(render(diagnosis(kernel(findings=(finding("a", 1.5),)), file="a b.ncu-rep")))
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.ncu-rep"


def test_launches_of_one_kernel_share_a_result_with_the_highest_gain() -> None:
    many = [kernel(findings=(finding("a", gain),)) for gain in (1.2, 3.0, 2.0)]
    run = run_of(render(diagnosis(*many)))
    assert [item["properties"]["speedupEstimate"] for item in run["results"]] == [3.0]


def test_a_broken_rule_is_the_tools_own_note() -> None:
    run = run_of(render(diagnosis(kernel(findings=(finding("a", None, kind="error"),)))))
    assert run["results"] == []
    assert "a: A." in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_the_fingerprint_outlives_numbers_and_line_numbers() -> None:
    def print_of(line: int, gain: float, id_: str = "a") -> str:
        run = run_of(render(diagnosis(kernel(findings=(finding(id_, gain, line=line),)))))
        return str(run["results"][0]["partialFingerprints"]["ncuanalyze/v1"])

    assert print_of(3, 1.5) == print_of(40, 2.5)
    assert print_of(3, 1.5) != print_of(3, 1.5, "b")


def test_hostile_names_make_no_links_and_no_control_characters() -> None:
    odd = finding("a", 1.5, line=1, title=HOSTILE)
    run = run_of(render(diagnosis(kernel(HOSTILE, findings=(odd,)), file=HOSTILE)))
    text = json.dumps(run, ensure_ascii=False)
    assert "\x1b" not in text
    assert "\u202e" not in text
    message = run["results"][0]["message"]["text"]
    assert "\\[x\\](javascript:1)" in message


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("src/a b.cu", "src/a%20b.cu"),
        ("/home/u/k.cu", "file:///home/u/k.cu"),
        ("C:\\src\\k.cu", "file:///C:/src/k.cu"),
        ("src\\k.cu", "src/k.cu"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("//evil.example/x", "file:////evil.example/x"),
        ("", "report"),
    ],
)
def test_files_become_uris(file: str, uri: str) -> None:
    assert artifact_location(file)["uri"] == uri


def test_line_zero_has_no_region() -> None:
    bad = SourceLine(file="k.cu", line=0, share_pct=1, counter="samples")
    found = finding("a", 1.5)
    run = run_of(
        render(diagnosis(kernel(findings=(type(found)(**(vars(found) | {"source_lines": (bad,)})),))))
    )
    assert "region" not in run["results"][0]["locations"][0]["physicalLocation"]


def test_a_comparison_tells_slower_kernels_and_findings_that_came() -> None:
    base = diagnosis(kernel("a", 1e5), kernel("b", 1e5), kernel("c", 1e5))
    new = diagnosis(
        kernel("a", 2e5, findings=(finding("spills", 2.0, line=5),)), kernel("b", 5e4), *launches([100], "c")
    )
    run = run_of(render_comparison(compare([base], [new]), "sarif"))
    assert [(item["ruleId"], item["level"]) for item in run["results"]] == [
        ("slower_kernel", "error"),
        ("spills", "warning"),
    ]
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 5}


def test_nothing_found_is_a_valid_log() -> None:
    assert run_of(render(diagnosis(kernel())))["results"] == []
