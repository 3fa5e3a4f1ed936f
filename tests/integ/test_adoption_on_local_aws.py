"""`drift --adopt` of each form of a value: the file validates, and after a deploy of it nothing differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from neuron_cluster.aws.session import LocalTarget, client

from .conftest import ACCOUNT, Ran

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]
NAME = "dev-inf2"
EDITS = {
    "lifecycle: ephemeral\n": "lifecycle: ephemeral\nbudget: {usd_month: 900, notify: [platform@example.com]}\n",
    "    access: private\n": (
        "    access: public_and_private\n    public_access_cidrs: [203.0.113.0/24]  # the office\n"
    ),
    "      instance_type: inf2.xlarge\n": (
        "      instance_type: inf2.xlarge\n"
        "      labels:\n        team: vision\n        tier: test\n"
        "      taints:\n        # of the team\n        - {key: team, value: vision, effect: no_schedule}\n"
    ),
}
OBSERVABILITY = "observability:\n  metrics: cloudwatch\n  alarms:\n    ecc_events: 1\n"


@pytest.fixture(scope="module")
def file(project: Path) -> Path:
    path = project / "environments" / f"{NAME}.yaml"
    text = path.read_text()
    for before, after in EDITS.items():
        assert before in text
        text = text.replace(before, after, 1)
    path.write_text(f"{text}\n{OBSERVABILITY}" if "observability:" not in text else text)
    return path


def change_by_hand(target: LocalTarget) -> None:
    eks = client(target, "eks")
    (group,) = [each for each in eks.list_nodegroups(clusterName=NAME)["nodegroups"] if "inf2" in each]
    eks.update_nodegroup_config(
        clusterName=NAME,
        nodegroupName=group,
        scalingConfig={"minSize": 0, "desiredSize": 0, "maxSize": 3},
        labels={"addOrUpdateLabels": {"team": "speech", "example.com/by-hand": "true"}, "removeLabels": ["tier"]},
        taints={"addOrUpdateTaints": [{"key": "by-hand", "value": "on", "effect": "NO_EXECUTE"}]},
    )
    cidrs = ["203.0.113.0/24", "198.51.100.0/24"]
    eks.update_cluster_config(name=NAME, resourcesVpcConfig={"publicAccessCidrs": cidrs})
    budgets = client(target, "budgets")
    (budget,) = budgets.describe_budgets(AccountId=ACCOUNT)["Budgets"]
    budget["BudgetLimit"] = {"Amount": "1200", "Unit": "USD"}
    new = {name: budget[name] for name in ("BudgetName", "BudgetType", "TimeUnit", "BudgetLimit", "CostFilters")}
    budgets.update_budget(AccountId=ACCOUNT, NewBudget=new)
    cloudwatch = client(target, "cloudwatch")
    (alarm,) = cloudwatch.describe_alarms(AlarmNames=[f"{NAME}-ecc-events"])["MetricAlarms"]
    kept = ("AlarmName", "AlarmDescription", "Namespace", "MetricName", "Dimensions", "Statistic", "Period")
    names = (*kept, "ComparisonOperator", "EvaluationPeriods", "TreatMissingData")
    cloudwatch.put_metric_alarm(**{name: alarm[name] for name in names}, Threshold=3)


GROUP = "eks.node_groups[inf2]"
ADOPTED = {
    f"{GROUP}.count.max",
    "budget.usd_month",
    "eks.endpoint.public_access_cidrs",
    f"{GROUP}.labels.example.com/by-hand",
    f"{GROUP}.labels.team",
    f"{GROUP}.labels.tier",
    f"{GROUP}.taints",
    "observability.alarms.ecc_events",
}


def test_values_of_each_form_are_adopted(command: Callable[..., Ran], file: Path, target: LocalTarget) -> None:
    assert command("deploy", "--local", NAME).status == 0
    change_by_hand(target)
    before = file.read_text().splitlines()
    ran = command("drift", "--local", NAME, "--adopt")
    assert (ran.status, ran.document["findings"]) == (3, [])
    assert [row for row in ran.document["drifts"] if row["edit"] is None] == []
    assert set(ran.document["adopted"]) == ADOPTED
    after = file.read_text().splitlines()
    assert [line for line in after if "the office" in line] == [
        '    public_access_cidrs: [203.0.113.0/24, "198.51.100.0/24"]  # the office'
    ]
    assert [line for line in before if "#" in line and line not in after] == [
        "    public_access_cidrs: [203.0.113.0/24]  # the office"
    ]
    (group,) = [each for each in yaml.safe_load(file.read_text())["eks"]["node_groups"] if each["name"] == "inf2"]
    assert group["labels"] == {"team": "speech", "example.com/by-hand": "true"}
    assert group["taints"][1] == {"key": "by-hand", "value": "on", "effect": "no_execute"}
    effects = {
        row["property"]: row["next_deploy"]["effect"] for row in command("drift", "--local", NAME).document["drifts"]
    }
    assert set(effects.values()) == {"keeps the actual value"}, effects
    assert command("deploy", "--local", NAME).status == 0
    assert command("drift", "--local", NAME).document["drifts"] == []
