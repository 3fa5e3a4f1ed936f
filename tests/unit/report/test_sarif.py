"""SARIF output is valid by the schema of the standard, and points at file, line and key.

``tests/fixtures/sarif/`` holds sarif-2.1/schema/sarif-schema-2.1.0.json of oasis-tcs/sarif-spec@a560296.
"""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath
from typing import Any

import jsonschema
import pytest

from neuron_cluster.findings.finding import Finding, Location
from neuron_cluster.findings.registry import finding_specs
from neuron_cluster.report.sarif import sarif_log
from tests.every_run import in_every_run

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "sarif" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8")
)
FILE = "environments/a b.yaml"
OF_A_FILE = Finding("E3007", Location(FILE, 12, 5, "eks.node_groups[1].count.desired"), "desired is 17", "write 16")
OF_A_STACK = Finding("E9004", Location("train-cluster", path="Cluster"), "the cluster is gone", "undo the edit")
OF_A_NAME = Finding("E0015", Location("no-such"), "there is no environment", "")
OF_NOTHING = Finding("E9500", Location(""), "the network is down", "")
WARNING = Finding("W6002", Location(FILE, 3, 1, "account"), "an account of the documentation", "write yours")


def log_of(*findings: Finding) -> dict[str, Any]:
    """The log, after it was validated."""
    log = sarif_log(findings, finding_specs(), version="0.1.0", files={FILE: PurePosixPath(FILE)})
    jsonschema.validate(log, SCHEMA)
    return log


def results_of(*findings: Finding) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = log_of(*findings)["runs"][0]["results"]
    return results


def of_each_id() -> list[Finding]:
    return [Finding(name, Location(FILE, 1, 1, "name"), "message", "hint") for name in finding_specs()]


@pytest.mark.parametrize("one_of", in_every_run([10, 1], [10]))
def test_every_finding_id_makes_a_valid_log(one_of: int) -> None:
    log_of(*of_each_id()[::one_of])
    log = sarif_log(of_each_id(), finding_specs(), version="0.1.0", files={FILE: PurePosixPath(FILE)})
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} == set(finding_specs())
    assert sum("helpUri" in rule for rule in rules) > 100
    assert all(rule["helpUri"].startswith("https://") for rule in rules if "helpUri" in rule)


def test_a_log_without_findings_is_valid() -> None:
    assert log_of()["runs"][0]["results"] == []


def test_a_result_in_a_base_has_the_environment_as_a_related_location() -> None:
    in_base = Finding("E3007", Location("bases/a.yaml", 3, 1, "eks", extended_by=FILE), "desired is 17", "write 16")
    files = {FILE: PurePosixPath(FILE), "bases/a.yaml": PurePosixPath("bases/a.yaml")}
    log = sarif_log([in_base], finding_specs(), version="0.1.0", files=files)
    jsonschema.validate(log, SCHEMA)
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "bases/a.yaml"
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "environments/a%20b.yaml"
    assert related["message"]["text"] == f"{FILE} extends this file"


def test_a_result_has_the_place_in_the_file_and_the_key_path() -> None:
    (result,) = results_of(OF_A_FILE)
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "environments/a%20b.yaml"},
        "region": {"startLine": 12, "startColumn": 5},
    }
    assert location["logicalLocations"] == [
        {"fullyQualifiedName": "eks.node_groups[1].count.desired", "kind": "property"}
    ]
    assert result["message"]["text"] == "desired is 17\nhint: write 16"


def test_a_file_outside_of_the_working_directory_has_an_absolute_uri() -> None:
    log = sarif_log([OF_A_FILE], finding_specs(), version="0.1.0", files={FILE: PurePosixPath("/tmp/a b.yaml")})  # noqa: S108 - a name only, nothing is written
    jsonschema.validate(log, SCHEMA)
    (location,) = log["runs"][0]["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "file:///tmp/a%20b.yaml"


def test_a_finding_about_a_whole_file_has_no_region() -> None:
    (result,) = results_of(Finding("E0001", Location(FILE), "it cannot be read", ""))
    assert result["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "environments/a%20b.yaml"}}}]
    assert result["message"]["text"] == "it cannot be read"


def test_what_is_no_file_is_a_logical_location() -> None:
    of_name, of_stack = results_of(OF_A_STACK, OF_A_NAME)
    assert of_stack["locations"] == [
        {"logicalLocations": [{"fullyQualifiedName": "train-cluster/Cluster", "kind": "resource"}]}
    ]
    assert of_name["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "no-such"}]}]
    assert results_of(OF_NOTHING)[0]["locations"] == []


def test_levels_and_rules_come_from_the_registry() -> None:
    log = log_of(OF_A_FILE, WARNING, OF_A_FILE)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    results = log["runs"][0]["results"]
    assert [rule["id"] for rule in rules] == ["E3007", "W6002"]
    assert [rule["defaultConfiguration"]["level"] for rule in rules] == ["error", "warning"]
    assert [(rules[each["ruleIndex"]]["id"], each["level"]) for each in results] == [
        ("W6002", "warning"),
        ("E3007", "error"),
        ("E3007", "error"),
    ]
    assert rules[0]["shortDescription"]["text"] == finding_specs()["E3007"].title
