"""CDK's validation accepts a pinned AMI release of HyperPod: the only property that an acknowledgement names."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stacks.hyperpod.on_eks import NEWER_SCHEMA, UNKNOWN_PROPERTY

from .nag import run_packs

pytestmark = pytest.mark.slow

NAME = "hyperpod-trn2"
RELEASE = {"hyperpod.groups.0.ami_release": "1.2.3"}
UPDATES = {
    "hyperpod.groups.0.software_updates": {
        "schedule": "cron(0 2 ? */3 SUN *)",
        "batch_percent": 25,
        "wait_minutes": 60,
        "rollback_alarms": ["jobs-failed"],
    }
}


@pytest.fixture
def report_of(cdk: Any, app_of: Callable[..., Any], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """``report_of(edits, with_acknowledgements=True)``: what CDK's validation of templates finds and suppresses."""

    def run(edits: dict[str, Any], *, with_acknowledgements: bool = True) -> dict[str, Any]:
        plugins = (lambda _: cdk.CloudFormationValidatePlugin(),)
        run_packs(cdk, app_of, (NAME, edits), plugins, tmp_path, with_acknowledgements=with_acknowledgements)
        reports = json.loads((tmp_path / "validation-report.json").read_text())["pluginReports"]
        name = cdk.CloudFormationValidatePlugin.PLUGIN_NAME
        (found,) = (report for report in reports if report["pluginName"] == name)
        return dict(found)

    return run


def properties_in(violation: dict[str, Any]) -> list[str]:
    (construct,) = violation["violatingConstructs"]
    return list(construct["cloudFormationResource"]["propertyPaths"])


def test_cdk_suppresses_one_property_of_a_pinned_release_and_finds_nothing_else(
    report_of: Callable[..., Any],
) -> None:
    report = report_of(RELEASE | UPDATES)
    assert (report["conclusion"], report["violations"]) == ("success", [])
    (suppressed,) = report["suppressedViolations"]
    assert properties_in(suppressed) == ["Properties.InstanceGroups.0.ImageReleaseVersion"]
    assert (suppressed["acknowledgedId"], suppressed["reason"]) == (UNKNOWN_PROPERTY, NEWER_SCHEMA)


def test_cdk_rejects_a_pinned_release_without_the_acknowledgement(report_of: Callable[..., Any]) -> None:
    """When this fails, CDK knows the property: remove the acknowledgement."""
    report = report_of(RELEASE, with_acknowledgements=False)
    assert [path for violation in report["violations"] for path in properties_in(violation)] == [
        "Properties.InstanceGroups.0.ImageReleaseVersion"
    ]
