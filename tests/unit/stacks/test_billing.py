"""The billing stack: budgets of the environment and of teams, by the tags that resources carry."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from neuron_cluster.config.budget import Budget
from neuron_cluster.planning.build_budget import build_budget
from tests.five_teams import NAMES, team, with_teams

Templates = dict[str, dict[str, Any]]

BUDGET = {"usd_month": 300_000, "notify": ["leads@example.com"]}
TOPIC = "arn:aws:sns:us-west-2:111122223333:cost"
OF_THE_GROUP = {"eks.node_groups.1.team": NAMES[0]}


def _with(budget: Mapping[str, Any] | None = None, **further: Any) -> dict[str, Any]:
    """Five teams, of which the first has the node group for itself, and this budget."""
    keys = {"budget": dict(budget)} if budget is not None else {}
    others = [team(name) for name in NAMES[1:]]
    return with_teams([team(NAMES[0], **keys, **further), *others], **OF_THE_GROUP)


def _budgets(template: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each["Properties"] for name, each in template["Resources"].items()}


def test_without_a_budget_there_is_no_billing_stack(templates_of: Callable[..., Templates]) -> None:
    assert "billing" not in templates_of("train-trn1", _with())


def test_a_budget_counts_what_carries_the_tag_of_its_team(templates_of: Callable[..., Templates]) -> None:
    made = templates_of("train-trn1", _with(BUDGET))
    (budget,) = _budgets(made["billing"]).values()
    assert budget["Budget"]["CostFilters"] == {"TagKeyValue": ["user:neuron-cluster:team$research"]}
    assert budget["Budget"]["BudgetLimit"] == {"Amount": 300_000, "Unit": "USD"}
    template = next(
        each["Properties"]["LaunchTemplateData"]
        for each in made["nodes"]["Resources"].values()
        if each["Type"] == "AWS::EC2::LaunchTemplate"
    )
    tags = [tag for spec in template["TagSpecifications"] for tag in spec["Tags"]]
    assert {"Key": "neuron-cluster:team", "Value": "research"} in tags


def test_the_budget_of_the_environment_counts_the_tag_of_every_stack(templates_of: Callable[..., Templates]) -> None:
    made = templates_of("train-trn1", {"budget": BUDGET})
    assert list(made["billing"]["Resources"]) == ["BudgetEnvironment"]
    (budget,) = _budgets(made["billing"]).values()
    assert budget["Budget"]["CostFilters"] == {"TagKeyValue": ["user:neuron-cluster:environment$train-trn1"]}
    assert budget["Budget"]["BudgetLimit"] == {"Amount": 300_000, "Unit": "USD"}
    for billed in ("AWS::EKS::Cluster", "AWS::EC2::NatGateway", "AWS::FSx::FileSystem", "AWS::S3::Bucket"):
        tags = [
            row["Properties"]["Tags"]
            for stack in made.values()
            for row in stack["Resources"].values()
            if row["Type"] == billed
        ]
        assert tags, billed
        assert all({"Key": "neuron-cluster:environment", "Value": "train-trn1"} in each for each in tags), billed


def test_a_budget_of_the_environment_leaves_that_of_a_team_as_it_is(template_of: Callable[..., Any]) -> None:
    of_team = _budgets(template_of("train-trn1", "billing", _with(BUDGET)))
    both = _budgets(template_of("train-trn1", "billing", {**_with(BUDGET), "budget": BUDGET}))
    assert of_team.items() < both.items()
    assert set(both) - set(of_team) == {"BudgetEnvironment"}


def test_no_team_of_another_environment_has_a_budget_of_the_same_name() -> None:
    """Names are unique in an account: the budget of `ml-prod` does not have that of the team `prod` of `ml`."""
    spec = Budget(usd_month=1, notify=["leads@example.com"])
    own = build_budget(spec, None, ("budget",), "ml-prod").name
    of_team = build_budget(spec, "prod", ("teams", 0, "budget"), "ml").name
    assert own.rpartition("-")[2] == of_team.rpartition("-")[2]
    assert own != of_team


def test_a_team_of_a_slurm_cluster_has_a_budget(template_of: Callable[..., Any]) -> None:
    teams = [{"name": "research", "members": [], "budget": BUDGET}, {"name": "product", "members": []}]
    made = template_of("slurm-trn1", "billing", {"teams": teams, "slurm.groups.0.team": "research"})
    (budget,) = _budgets(made).values()
    assert budget["Budget"]["CostFilters"] == {"TagKeyValue": ["user:neuron-cluster:team$research"]}


@pytest.mark.parametrize(
    ("keys", "subscribers"),
    [
        ({"notify": ["a@example.com"]}, [("EMAIL", "a@example.com")]),
        ({"notify": [], "topic_arn": TOPIC}, [("SNS", TOPIC)]),
        ({"topic_arn": TOPIC}, [("EMAIL", "leads@example.com"), ("SNS", TOPIC)]),
    ],
)
def test_each_threshold_notifies_every_recipient(
    template_of: Callable[..., Any], keys: dict[str, Any], subscribers: list[tuple[str, str]]
) -> None:
    made = template_of("train-trn1", "billing", _with({**BUDGET, "thresholds": [50, 90], **keys}))
    (budget,) = _budgets(made).values()
    notified = budget["NotificationsWithSubscribers"]
    assert [(each["Notification"]["NotificationType"], each["Notification"]["Threshold"]) for each in notified] == [
        ("ACTUAL", 50),
        ("ACTUAL", 90),
        ("FORECASTED", 100),
    ]
    for each in notified:
        assert [(one["SubscriptionType"], one["Address"]) for one in each["Subscribers"]] == subscribers


@pytest.mark.parametrize(
    ("with_budget", "prefix"),
    [(_with, "train-trn1-research-"), (lambda budget: {"budget": budget}, "train-trn1--")],
    ids=["team", "environment"],
)
def test_another_limit_keeps_the_name_and_other_notifications_change_it(
    template_of: Callable[..., Any], with_budget: Callable[[dict[str, Any]], dict[str, Any]], prefix: str
) -> None:
    def name(**keys: Any) -> str:
        (budget,) = _budgets(template_of("train-trn1", "billing", with_budget({**BUDGET, **keys}))).values()
        return str(budget["Budget"]["BudgetName"])

    assert name() == name(usd_month=400_000)
    others = [name(thresholds=[90]), name(notify=["b@example.com"]), name(topic_arn=TOPIC)]
    assert len({name(), *others}) == 4
    assert all(each.startswith(prefix) for each in others)


def test_a_budget_changes_no_other_stack(templates_of: Callable[..., Templates]) -> None:
    made = templates_of("train-trn1", _with(BUDGET))
    billing = made.pop("billing")
    assert {each["Type"] for each in billing["Resources"].values()} == {"AWS::Budgets::Budget"}
    assert made == templates_of("train-trn1", _with())


def test_teams_have_budgets_that_do_not_depend_on_one_another(template_of: Callable[..., Any]) -> None:
    on_system = {"eks.node_groups.0.team": NAMES[1]}
    both = [team(NAMES[0], budget=BUDGET), team(NAMES[1], budget=BUDGET)]
    two = _budgets(template_of("train-trn1", "billing", with_teams(both, **OF_THE_GROUP, **on_system)))
    fewer = [both[0], team(NAMES[1])]
    one = _budgets(template_of("train-trn1", "billing", with_teams(fewer, **OF_THE_GROUP, **on_system)))
    assert len(two) == 2
    assert one.items() < two.items()


def test_a_budget_beside_slurm_alone_counts_the_workstation_of_the_team(template_of: Callable[..., Any]) -> None:
    workstation = {"name": "alice", "instance_type": "inf2.xlarge", "dlami": "base_ubuntu_24_04", "team": NAMES[0]}
    members = ["arn:aws:iam::111122223333:role/research"]
    namespaces = [{"name": NAMES[0]}]
    research = {"name": NAMES[0], "members": members, "namespaces": namespaces, "budget": {**BUDGET, "usd_month": 900}}
    edits = {"workstations": [workstation], "teams": [research]}
    (budget,) = _budgets(template_of("slurm-trn1", "billing", edits)).values()
    assert budget["Budget"]["BudgetLimit"] == {"Amount": 900, "Unit": "USD"}
