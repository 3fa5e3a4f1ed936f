"""CloudFormation waits for no custom resource of ours much longer than its function can run."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent
AN_HOUR = 3600
"""Seconds that CloudFormation waits without ``ServiceTimeout``."""


def test_every_custom_resource_bounds_the_wait_for_its_function() -> None:
    templates = [json.loads(path.read_text()) for path in sorted(HERE.glob("*/*.template.json"))]
    custom = {
        (name, each["Type"]): each["Properties"].get("ServiceTimeout", AN_HOUR)
        for template in templates
        for name, each in template["Resources"].items()
        if each["Type"].startswith("Custom::") or each["Type"] == "AWS::CloudFormation::CustomResource"
    }
    assert {kind for _, kind in custom} >= {"Custom::AWSCDK-EKS-HelmChart", "Custom::AWSCDK-EKS-KubernetesPatch"}
    assert {key: seconds for key, seconds in custom.items() if seconds > 1000} == {}
