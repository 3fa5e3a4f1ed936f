"""The tables of training plans, what was not read, and the command that buys one."""

from __future__ import annotations

import re
import shlex
from datetime import timedelta

import pytest

from neuron_cluster.capacity.plan_offers import PlanOfferings, UnreadPlans
from neuron_cluster.capacity.plan_purchase import plan_arguments, plan_command, plan_name
from neuron_cluster.capacity.plan_query import PlanQuery
from neuron_cluster.capacity.purchase_command import PurchaseCommand
from neuron_cluster.cli.rich_table import table_text
from neuron_cluster.report.plan_offers_page import plans_as_data, plans_table, unread_lines

from .plan_samples import DAY, HYPERPOD, ID, JOB, QUERY, START, a_block, a_plan_offer

LARGE = a_plan_offer(
    a_block(length=timedelta(hours=90 * 24), zone_id="apse2-az1"),
    a_block(START + 100 * DAY, timedelta(hours=92 * 24 - 0.5), zone_id="apse2-az2"),
    fee="12345678.90",
    region="ap-southeast-2",
)


@pytest.mark.parametrize("width", [80, 200])
def test_every_number_and_zone_is_whole_and_the_table_fits(width: int) -> None:
    text = table_text(plans_table(JOB, [LARGE, a_plan_offer()], QUERY), width, colour=False)
    for word in ("ap-southeast-2", "apse2-az1", "apse2-az2", "2027-03-11 11:30", "4367.5", "12,345,678.90", "706.68",
                 "858.26", "USD total", "4 x ml.trn2.48xlarge for 2d"):  # fmt: skip
        assert word in text
    assert max(map(len, text.splitlines())) <= width


def test_the_note_says_when_instances_are_taken_back() -> None:
    assert "60 minutes before the end. All of a plan is in one zone." in plans_table(HYPERPOD, [LARGE], QUERY).note
    assert "30 minutes before the end. A plan can have blocks" in plans_table(JOB, [LARGE], QUERY).note


def test_a_price_that_is_not_known_is_said_to_be_unknown() -> None:
    assert "not known" in plans_table(JOB, [a_plan_offer(fee=None)], QUERY).rows[0][3]


def test_the_pasted_lines_are_the_command() -> None:
    till = PurchaseCommand("http://127.0.0.1:5055")
    offer = a_plan_offer()
    assert plan_arguments(offer, PurchaseCommand()) == (
        *("aws", "sagemaker", "create-training-plan", "--region", "us-east-2"),
        *("--training-plan-name", "trn2-training-job-20261201", "--training-plan-offering-id", ID),
    )
    assert tuple(shlex.split(plan_command(offer, till).replace("\\\n", ""))) == plan_arguments(offer, till)
    assert "--endpoint-url http://127.0.0.1:5055" in plan_command(offer, till)
    assert max(map(len, plan_command(offer, till).splitlines())) < 78
    assert re.fullmatch("[a-zA-Z0-9](-*[a-zA-Z0-9]){0,63}", plan_name(offer))


def test_one_reason_for_both_targets_is_told_once() -> None:
    unread = [UnreadPlans("us-east-2", target.name, "denied", "ask") for target in (HYPERPOD, JOB)]
    assert list(unread_lines([*unread, UnreadPlans("us-west-2", JOB.name, "lost", "")])) == [
        "us-east-2: training plans for hyperpod-cluster and training-job were not read: denied (hint: ask)",
        "us-west-2: training plans for training-job were not read: lost",
    ]


def test_plans_that_cannot_be_were_queried_in_no_region() -> None:
    data = plans_as_data(PlanQuery(QUERY.row, 3, 24), ["us-east-2"], PlanOfferings((), ()), PurchaseCommand())
    assert (data["query"]["regions"], data["offers"]) == ([], [])
    assert "not 3" in data["not_queried"]
