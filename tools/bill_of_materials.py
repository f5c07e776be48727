"""Writes the bill of materials of a full installation, from what cyclonedx-py found in an environment of the lock.

`make sbom` runs it with the Python of the release tools. Adds the package itself as the component that the bill is of,
refuses what is not in the lock or would tell of the machine, and holds the result against CycloneDX's schema.
"""

from __future__ import annotations

import configparser
import json
import re
import runpy
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
EXTRAS = ("zstd", "parquet", "batch", "remote", "dask", "query", "charts")


def main(found: Path, written: Path) -> None:
    """Write the bill, or leave with an error."""
    bill: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))
    check_versions(bill, (ROOT / "requirements" / "full.txt").read_text(encoding="utf-8"))
    add_component(bill, ROOT)
    text = json.dumps(bill, indent=2, sort_keys=True) + "\n"
    if "file:" in text:
        raise SystemExit("the bill holds a path of this machine")
    check_schema(text, bill["specVersion"])
    written.parent.mkdir(exist_ok=True)
    written.write_text(text, encoding="utf-8")


def normal(name: str) -> str:
    """A distribution's name as PEP 503 has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def check_versions(bill: dict[str, Any], lock: str) -> None:
    """Leave where a component is not the one of the lock."""
    found = re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE)  # some twice, for different versions of Python
    locked = {(normal(name), version) for name, version in found}
    for item in bill["components"]:
        if (normal(item["name"]), item["version"]) not in locked:
            raise SystemExit(f"{item['name']} {item['version']} is not in requirements/full.txt")


def add_component(bill: dict[str, Any], root: Path) -> None:
    """Put the package at the root, with what it asks for itself."""
    setup = configparser.ConfigParser()
    setup.read(root / "setup.cfg", encoding="utf-8")
    about = setup["metadata"]
    version = runpy.run_path(str(root / "ncuanalyze" / "version.py"))["__version__"]
    purl = f"pkg:pypi/{about['name']}@{version}"
    bill["metadata"]["component"] = {
        "bom-ref": purl,
        "description": about["description"],
        "licenses": [{"license": {"id": about["license"], "acknowledgement": "declared"}}],
        "name": about["name"],
        "purl": purl,
        "type": "application",
        "version": version,
    }
    asked = "\n".join([setup["options"]["install_requires"], *(setup["options.extras_require"][x] for x in EXTRAS)])
    names = {normal(name) for name in re.findall(r"^\s*([\w.-]+)", asked, re.MULTILINE)}
    refs = sorted(item["bom-ref"] for item in bill["components"] if normal(item["name"]) in names)
    bill["dependencies"] = [{"ref": purl, "dependsOn": refs}, *bill["dependencies"]]


def check_schema(text: str, version: str) -> None:
    """Leave where the text is no CycloneDX document of that version."""
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    error = JsonStrictValidator(SchemaVersion.from_version(version)).validate_str(text)
    if error:
        raise SystemExit(f"the bill is not CycloneDX {version}: {error}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
