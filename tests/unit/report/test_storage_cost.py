"""The monthly cost of storage: a line for each section of the file, and a total that names no unknown price as 0."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.cost.environment_cost import environment_cost
from neuron_cluster.cost.model import Scenario, Section
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.plan_page import plan_as_data, plan_tables
from neuron_cluster.report.storage_cost import storage_cost_as_data, storage_costs

PlanOf = Callable[..., ClusterPlan]
POINTS = {"access_points": [{"name": "home", "path": "/home"}]}
EVERYTHING = {
    "storage.express": {"availability_zone": "usw2-az4"},
    "storage.efs": POINTS,
    "storage.s3_files": {"prefix": "files"},
    "storage.homes": [{"name": "alice", "availability_zone": "usw2-az4", "size_gib": 200}],
    "storage.backup": {
        "resources": ["homes", "efs"],
        "rules": [{"name": "daily", "schedule": "cron(0 5 ? * * *)", "delete_after_days": 35}],
    },
}
REPLICATION = {
    "bucket": "checkpoints-replica",
    "region": "us-east-2",
    "key_arn": "arn:aws:kms:us-east-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab",
}
GOLDEN = {"storage.checkpoints.golden_every": 50, "storage.checkpoint_bucket.replication": REPLICATION}


def usd(plan: ClusterPlan) -> dict[str, float | None]:
    return {each.what: each.usd for each in storage_costs(plan, load_catalog())}


def by_use(plan: ClusterPlan) -> dict[str, str]:
    data = storage_cost_as_data(plan, load_catalog())
    assert data is not None
    return {each["what"]: each["formula"] for each in data["by_use"]}


def test_every_section_is_a_line_and_what_is_billed_by_use_is_in_no_total(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", EVERYTHING)
    found = usd(plan)
    assert list(by_use(plan)) == ["S3 Express bucket", "EFS", "S3 Files", "backups"]
    assert None not in found.values()
    assert found["home alice"] == pytest.approx(200 * 0.08)
    assert found["FSx for Lustre, 4,800 GiB PERSISTENT_2 at 250 MB/s per TiB"] == pytest.approx(4800 * 0.21)
    data = storage_cost_as_data(plan, load_catalog())
    assert data is not None
    known = sum(price for price in found.values() if price is not None)
    assert (data["total"], data["at_least"]) == (pytest.approx(known), pytest.approx(known))
    assert json.loads(json.dumps(plan_as_data(plan, load_catalog())["storage_cost"])) == data
    (table,) = [each for each in plan_tables(plan, load_catalog(), (), 100) if each.title.startswith("Storage, USD")]
    assert table.rows[-1] == ("total", f"{known:,.0f}", "30 days, without what is billed by use")
    assert ("EFS", "by use") in [row[:2] for row in table.rows]


@pytest.mark.parametrize("edits", [EVERYTHING, GOLDEN, {"storage.checkpoints": None}])
def test_plan_and_cost_have_the_same_amounts_and_the_same_parts_billed_by_use(
    edits: dict[str, Any], plan_of: PlanOf
) -> None:
    plan, catalog = plan_of("train-trn1", edits), load_catalog()
    cost = environment_cost(plan, catalog, date(2026, 11, 27))
    homes = [line for line in cost.lines if line.name.startswith("home ")]
    lines = [line for line in cost.lines if line.section is Section.STORAGE] + homes
    assert [line.monthly(Scenario.DESIRED) for line in lines] == pytest.approx(list(usd(plan).values()), abs=0.0001)
    data = storage_cost_as_data(plan, catalog)
    assert data is not None
    services = [each["service"] for each in data["by_use"]]
    assert list(cost.by_use[: len(services)]) == services
    rates = {rate.what.partition(", a ")[0].partition(", for ")[0] for rate in cost.rates[1:]}
    assert rates == set(by_use(plan)) - {"backups"}


def test_a_line_without_an_amount_has_the_price_of_a_gigabyte(plan_of: PlanOf) -> None:
    formulas = by_use(plan_of("train-trn1", EVERYTHING))
    assert formulas["EFS"].startswith("about 0.3 USD a GB and month, 0.06 USD a GB written")
    assert formulas["S3 Express bucket"].startswith("no price of us-west-2 is known")


def test_the_total_of_a_shipped_environment_is_that_of_its_checkpoints(plan_of: PlanOf) -> None:
    data = plan_as_data(plan_of("train-trn1"), load_catalog())
    assert data["storage_cost"]["total"] == data["checkpoints"]["chosen"]["usd_per_month"]["total"]
    assert data["storage_cost"]["at_least"] == data["storage_cost"]["total"]


def test_copies_of_golden_checkpoints_by_hand(plan_of: PlanOf) -> None:
    """As test_checkpoint_storage.py: 847 GB every 2.28 hours; one of 50 is copied, and stays for a month."""
    plan = plan_of("train-trn1", GOLDEN)
    gigabytes = 70_553_706_496 * 12 / 2**30
    copies = 30 * 24 / ((2 * 60 * 156.25 * 3600) ** 0.5 / 3600) / 50
    found = usd(plan)
    assert found["S3 Standard, replica in us-east-2"] == pytest.approx(copies * gigabytes * 0.023)
    assert found["transfer to us-east-2"] == pytest.approx(copies * gigabytes * 0.02)
    assert found["S3 PUT requests in us-east-2"] == pytest.approx(513 * copies / 1000 * 0.005)
    assert None not in found.values()
    expiring = plan_of("train-trn1", {**GOLDEN, "storage.checkpoints.golden_days": 10})
    assert usd(expiring)["S3 Standard, replica in us-east-2"] == found["S3 Standard, replica in us-east-2"]
    timed = plan_of(
        "train-trn1", GOLDEN | {"storage.checkpoint_bucket.replication": {**REPLICATION, "time_control": True}}
    )
    assert usd(timed)["time control"] == pytest.approx(copies * gigabytes * 0.015)


@pytest.mark.parametrize("edit", [{"prefixes": ["datasets"]}, {}])
def test_copies_that_are_not_planned_are_billed_by_use(plan_of: PlanOf, edit: dict[str, Any]) -> None:
    edits = {"storage.checkpoint_bucket.replication": {**REPLICATION, **edit}}
    golden = {} if not edit else {"storage.checkpoints.golden_every": 50}
    (formula,) = by_use(plan_of("train-trn1", {**edits, **golden})).values()
    assert formula.startswith("about 0.023 USD a GB and month")


def test_a_file_system_without_a_price_is_a_line_and_one_that_exists_is_none(plan_of: PlanOf) -> None:
    tiering = {"availability_zone": "usw2-az4", "storage_type": "intelligent_tiering", "throughput_mbps": 4000}
    found = usd(plan_of("train-trn1", {"storage.lustre": tiering}))
    assert found["FSx for Lustre, PERSISTENT_2"] is None
    data = storage_cost_as_data(plan_of("train-trn1", {"storage.lustre": tiering}), load_catalog())
    assert data is not None
    assert data["total"] is None
    assert [what for what in usd(plan_of("train-trn3")) if "Lustre" in what] == []


def test_no_storage_has_no_table(plan_of: PlanOf) -> None:
    assert storage_cost_as_data(plan_of("serve-inf1"), load_catalog()) is None
