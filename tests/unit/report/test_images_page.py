"""The list of charts and images, narrow and wide, and as data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import NeededImage, needed_charts, needed_images
from neuron_cluster.report.images_page import closing_lines, images_as_data, images_tables
from neuron_cluster.table import Table

CATALOG = load_catalog()
PLUGIN = "public.ecr.aws/neuron/neuron-device-plugin:2.32.0.0"
DIGEST = f"sha256:{'0123456789abcdef' * 4}"
PlanOf = Callable[..., ClusterPlan]


def tables(plan: ClusterPlan, width: int) -> dict[str, Table]:
    found = images_tables(needed_charts(plan, CATALOG), _images(plan), plan, width)
    return {table.title.rpartition(" ")[2]: table for table in found}


def _images(plan: ClusterPlan) -> tuple[NeededImage, ...]:
    return needed_images(plan, CATALOG, {PLUGIN: DIGEST})


def test_wide_tables_write_digests_out(plan_of: PlanOf) -> None:
    rows = {row[0]: row for row in tables(plan_of("train-trn1"), 200)["images"].rows}
    assert rows[PLUGIN] == (PLUGIN, "public", "neuron_device_plugin", "from the internet", DIGEST)


def test_narrow_tables_have_each_reference_on_one_line(plan_of: PlanOf) -> None:
    rows = {row[0]: row[1] for row in tables(plan_of("train-trn1"), 80)["images"].rows}
    assert rows[f"{PLUGIN}\n  {DIGEST[:19]}"] == "neuron_device_plugin\nfrom the internet"


@pytest.mark.parametrize(
    ("edits", "way"),
    [
        ({}, "from the internet"),
        ({"eks.image_cache": True}, "through the cache"),
    ],
)
def test_the_way_follows_network_and_cache(plan_of: PlanOf, edits: dict[str, object], way: str) -> None:
    rows = {row[0]: row for row in tables(plan_of("train-trn1", edits), 200)["charts"].rows}
    assert rows["oci://public.ecr.aws/neuron/neuron-helm-chart"][3] == way
    assert rows["https://aws.github.io/eks-charts/aws-efa-k8s-device-plugin"][3] == "from the internet"


def test_what_the_tables_leave_out_is_said(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1")
    text = " ".join(closing_lines(_images(plan), plan, CATALOG, "train-trn1"))
    assert "602401143452.dkr.ecr.us-west-2.amazonaws.com" in text
    assert "coredns" in text
    assert "neuron-cluster images train-trn1 --commands" in text


def test_data_holds_public_names_and_names_in_the_cache(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", {"eks.image_cache": True})
    data = images_as_data(needed_charts(plan, CATALOG), _images(plan), plan, CATALOG)
    (image,) = [each for each in data["images"] if each["reference"] == PLUGIN]
    assert image == {
        "reference": PLUGIN,
        "digest": DIGEST,
        "needed_by": ["neuron_device_plugin"],
        "origin": "public",
        "is_copied": False,
        "mirror": "111122223333.dkr.ecr.us-west-2.amazonaws.com/train-trn1/ecr-public/neuron/"
        "neuron-device-plugin:2.32.0.0",
    }
