"""What the checker says of a section file. Each case was tried in Nsight Compute 2025.3.1 where it says so."""

import pytest

from ncuanalyze.errors import InvalidInput, UnreadableReport
from ncuanalyze.section_lint import Level, check_file, check_text, read_section
from ncuanalyze.section_lint.expression import Expression, parse_expression

HEAD = 'Identifier: "Mine"\nDisplayName: "Mine"\n'
GOOD = HEAD + 'Header { Metrics { Label: "x" Name: "sm__cycles_active.avg" } }\n'


def problems(body, head=HEAD, **options):
    return [(p.line, str(p.level), p.text) for p in check_text(head + body, **options)]


def definition(expression, collected="sm__cycles_active.avg"):
    return (
        f'Metrics {{ Metrics {{ Name: "{collected}" }} Metrics {{ Name: "derived__x" }} }}\n'
        f'MetricDefinitions {{ MetricDefinitions {{ Name: "derived__x" Expression: "{expression}" }} }}\n'
    )


def test_a_good_file_has_no_problems():
    assert check_text(GOOD) == []


@pytest.mark.parametrize(
    ("body", "line", "text"),
    [
        ("Header {\n", 4, "syntax: the file ends where '}' was expected"),
        ("Headers { }\n", 3, "Section has no field 'Headers': did you mean Header?"),
        ('Order: "1"\n', 3, "Order takes a uint"),
        ("Order: 1.5\n", 3, "Order takes a whole number, not 1.5"),
        ("Order: 1\nOrder: 2\n", 4, "Order may stand only once in a Section"),
        ("Header: 3\n", 3, "Header is a block: write Header { ... }"),
        ("Body { SetDefault: yes }\n", 3, "SetDefault takes true or false, not yes"),
        ('Body { Items { Table { Label: "t" } } }\n', 3, "Table needs Columns"),
        (  # ncu: Message type "ProfilerSectionBarChart" has no field named "DisplayName"
            'Body { Items { BarChart { DisplayName: "b" } } }\n',
            3,
            "BarChart has no field 'DisplayName'",
        ),
        (  # ncu: Unknown enumeration value of "CC_999" for field "MinArch"
            "Filter { MinArch: CC_999 }\n",
            3,
            "MinArch has no value 'CC_999' in Nsight Compute 2025.3.1 (it knows 53, 60, 61, 62, 70, 72, 75, "
            "80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)",
        ),
        (
            "Filter { CollectionFilter { Importance: Required } }\n",
            3,
            "Importance has no value 'Required': write CollectionImportance_Required",
        ),
        (
            "Filter { CollectionFilter { CollectionScopes: CollectionScope_Lunch } }\n",
            3,
            "CollectionScopes has no value 'CollectionScope_Lunch': did you mean CollectionScope_Launch?",
        ),
        (
            "Body { Items { RooflineChart { Rooflines { PeakWork { Constant: 1. Metric "
            '{ Name: "sm__cycles_active.avg" } } PeakTraffic { Constant: 1. } } } } }\n',
            3,
            "a roofline value is exactly one of Constant, Metric, ValueCyclesPerSecondExpression",
        ),
    ],
)
def test_what_makes_ncu_drop_the_file(body, line, text):
    assert (line, "error", text) in problems(body)


def test_identifier_is_required_and_holds_no_white_space():
    assert (1, "error", "Section needs Identifier") in problems("", head='DisplayName: "x"\n')
    assert problems("", head='Identifier: "a b"\nDisplayName: "x"\n') == [
        (1, "error", "Identifier must not hold white space")
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("smsp__occupancy.avg", "no chip has a metric smsp__occupancy"),  # invented by a public script
        ("sm__inst_executed_pipe_fp32.sum", "no chip has a metric sm__inst_executed_pipe_fp32"),
        ("dram__byte.sum", "no chip has a metric dram__byte: did you mean dram__bytes?"),
        ("launch__waves_per_sm", "no chip has a metric launch__waves_per_sm"),
        ("sm__cycles_active", "needs a rollup"),
        ("sm__cycles_active.mean", "has no rollup 'mean'"),
        ("sm__cycles_active.sum.per_minute", "has no submetric 'per_minute'"),
        ("l1tex__t_sector_hit_rate.sum", "is a ratio"),
        ("sm__throughput.avg.per_second", "is a throughput"),
        ("breakdown:sm__througput.avg.pct_of_peak_sustained_elapsed", "did you mean"),
    ],
)
def test_metrics_that_ncu_shows_as_no_data(name, text):
    found = problems(f'Header {{ Metrics {{ Name: "{name}" }} }}\n')
    assert [(line, level) for line, level, _ in found] == [(3, "error")]
    assert text in found[0][2]


@pytest.mark.parametrize(
    "name",
    [
        "launch__grid_size",
        "device__attribute_display_name",
        "group:memory__chart",
        "regex:sm__.*",
        "smsp__pcsamp_sample_count",
        "inst_executed",
        "breakdown:gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
        "sm__cycles_elapsed.avg.per_second",
        "l1tex__t_sector_hit_rate.pct",
    ],
)
def test_metrics_of_every_family_are_known(name):
    assert problems(f'Header {{ Metrics {{ Name: "{name}" }} }}\n') == []


def test_a_metric_that_some_chips_lack_names_them():
    body = 'Header { Metrics { Name: "dram__bytes.sum" } }\n'
    assert problems(body) == [
        (
            3,
            "warning",
            "dram__bytes.sum does not exist on CC 8.7 (ga10b), CC 11.0 (gb10b), CC 12.1 (gb20b): "
            "filter it out there",
        )
    ]
    assert problems(body, chips=["gh100"]) == []


def test_an_unknown_chip_is_refused():
    with pytest.raises(InvalidInput, match="gh200") as error:
        check_text(GOOD, ["gh200"])
    assert "gh100" in error.value.hint


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("sm__cycles_active.avg * 2 + 1", "2 operators: only one is allowed, so chain derived metrics"),
        (
            "(sm__cycles_active.avg * 2)",
            "parentheses are not part of the format: chain derived metrics instead",
        ),
        ("sm__cycles_active.avg * 1e3", "the constant 1e3 has an exponent: write it out in digits"),
        ("sm__cycles_active.avg", "no operator: ncu shows no data for a bare name (multiply by 1)"),
        ("sm__cycles_active.avg *", "an operand is missing"),
        ("sm__cycles_active.avg % 2", "'sm__cycles_active.avg % 2' is neither a metric nor a number"),
    ],
)
def test_expressions_that_ncu_shows_as_no_data(expression, text):
    found = problems(definition(expression))
    assert [level for _, level, _ in found] == ["error"]
    assert text in found[0][2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a__b.sum * 32", Expression(("a__b.sum", "32"), "*")),
        ("a__b.sum.per_second+c__d.sum", Expression(("a__b.sum.per_second", "c__d.sum"), "+")),
        ("0.3109 - a__b.avg", Expression(("0.3109", "a__b.avg"), "-")),
        ("5. / a__b.avg", Expression(("5.", "a__b.avg"), "/")),
    ],
)
def test_expressions_that_are_well_formed(text, expected):
    assert parse_expression(text) == expected


def test_an_operand_must_be_collected():  # tried: ncu does not collect it by itself
    found = problems(definition("lts__t_sectors.sum * 32"), chips=["gh100"])
    assert found == [
        (
            4,
            "warning",
            "derived__x: no data on CC 9.0 (gh100) unless lts__t_sectors.sum is collected there too",
        )
    ]
    assert problems(definition("lts__t_sectors.sum * 32", collected="lts__t_sectors.sum")) == []


def test_division_by_a_metric_is_worth_a_note():
    body = definition("1 / sm__cycles_active.avg")
    assert problems(body)[0][1] == "note"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Filter { MinArch: CC_90 MaxArch: CC_80 }", "MinArch 90 is above MaxArch 80: this admits no GPU"),
        (
            "Filter { MinArch: CC_80 Items { MinArch: CC_90 } }",
            "Items override MinArch and MaxArch beside them: give the limits in Items",
        ),
        (
            'Header { Metrics { Name: "sm__cycles_active.avg" Options { Name: "sm__cycles_active.max" } } }',
            "the option sm__cycles_active.max has no Filter, so it always replaces the metric",
        ),
        (
            'Header { Metrics { Name: "sm__cycles_active.avg" Filter { Items { MinArch: CC_90 } } Options '
            '{ Name: "sm__cycles_active.max" Filter { Items { MaxArch: CC_89 } } } } }',
            "the option sm__cycles_active.max is never reached: the metric's own filter excludes it",
        ),
        (
            'Header { Metrics { Name: "sm__cycles_active.avg" Options { Name: "sm__cycles_active.max" Filter '
            '{ Items { MinArch: CC_80 } } } Options { Name: "sm__cycles_active.min" Filter { Items { MinArch: '
            "CC_90 } } } } }",
            "the option sm__cycles_active.min is never reached: an earlier one covers it",
        ),
        (  # tried: the option for 8.x was taken on CC 9.0
            'Filter { Items { MinArch: CC_80 } }\nHeader { Metrics { Name: "sm__cycles_active.avg" Options '
            '{ Name: "sm__cycles_active.max" Filter { MinArch: CC_80 MaxArch: CC_89 } } } }',
            "the Items of the section's own Filter override these limits: give them in Items too",
        ),
    ],
)
def test_filters_that_do_not_mean_what_they_seem_to(body, text):
    assert ("warning", text) in [(level, found) for _, level, found in problems(body + "\n")]


def test_architectures_newer_than_an_old_ncu_set_a_floor():
    found = problems('Header { Metrics { Name: "sm__cycles_active.avg" Filter { MinArch: 100 } } }\n')
    assert found == [(3, "note", "Nsight Compute 2024.1 and older drop this file: they do not know 100")]


def test_options_and_filters_choose_the_name(tmp_path):
    path = tmp_path / "Mine.section"
    path.write_text(
        HEAD + 'Header { Metrics { Name: "sm__cycles_active.avg" Filter { Items { MinArch: CC_80 } } Options '
        '{ Name: "sm__cycles_active.max" Filter { Items { MinArch: CC_90 MaxArch: CC_90 } } } } }\n'
    )
    section = read_section(path)
    assert [section.collected(arch) for arch in (75, 80, 90, 100)] == [
        (),
        ("sm__cycles_active.avg",),
        ("sm__cycles_active.max",),
        ("sm__cycles_active.avg",),
    ]


def test_the_file_must_end_in_section(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text(GOOD)
    assert [(p.level, p.text) for p in check_file(path)] == [
        (Level.ERROR, "ncu loads only files that end in .section, not .txt")
    ]


def test_what_cannot_be_read_is_our_error(tmp_path):
    for make in (lambda p: None, lambda p: p.mkdir(), lambda p: p.write_bytes(b"\xff\xfe\x00")):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.section"
        make(path)
        with pytest.raises(UnreadableReport) as error:
            check_file(path)
        assert error.value.hint
