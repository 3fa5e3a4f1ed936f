"""Files of `new` and `init` have no error and no warning that they could avoid, in each Region, or is refused."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.sizing.find_model import find_model
from neuron_cluster.starter.data_file import purposes
from neuron_cluster.starter.template import templates_for
from tests.every_run import in_every_run
from tests.unit.starter.test_environment_text import CATALOG, checked, text_of, written_of

UNAVOIDABLE = {
    "W3011": "the lock of the account pins the AMIs of node groups",
    "W7010": "the lock of the account pins the AMIs of workstations",
}
OF_HUNDREDS_OF_NODES = {
    "W2014": "quotas and recommended limits of so many nodes",
    "W3028": "no Capacity Block is so large",
    "W3032": "the quota of a managed node group is lower",
    "W4021": "so large a checkpoint is exported slower than the next one begins",
}
"""Warnings of a training for which the Region has only instances with one device."""
REGIONS = tuple(row.name for row in CATALOG.regions)
MODELS = (None, "llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b")
MANY_NODES = 300
SAMPLE = [
    *itertools.product(purposes(), ("us-east-2",), (None,)),
    *itertools.product(purposes(), ("us-west-2",), ("llama-3.1-8b",)),
    *itertools.product(("serve", "train"), ("us-east-2",), ("llama-3.1-405b",)),
]


@pytest.mark.parametrize(
    ("purpose", "region", "model"), in_every_run(list(itertools.product(purposes(), REGIONS, MODELS)), SAMPLE)
)
def test_a_new_environment_has_no_error_and_no_avoidable_warning(
    purpose: str, region: str, model: str | None, tmp_path: Path
) -> None:
    sizes = find_model(model, None, load_catalog()) if model is not None else None
    refused = ""
    try:
        written = written_of(templates_for(purpose)[0], purpose=purpose, region=region, model=sizes)
    except ToolkitError as error:
        refused = error.message
    if refused:
        assert (purpose, region, model) not in SAMPLE
        assert re.search(rf"not offered in {region}|in {region} fit|\nE\d+ |Availability Zones", refused)
    else:
        read = checked(written, tmp_path)
        assert read.plan is not None
        nodes = sum(group.scaling.maximum or 0 for group in read.plan.compute_groups)
        allowed = UNAVOIDABLE | (OF_HUNDREDS_OF_NODES if nodes > MANY_NODES else {})
        assert {each.id: each.message for each in read.findings if each.id not in allowed} == {}


@pytest.mark.parametrize(
    ("name", "purpose", "region", "missing"),
    [
        ("train-trn1", "train", "eu-north-1", "trn1.32xlarge"),
        ("dev-inf2", "develop", "ap-northeast-3", "inf2.xlarge"),
        ("train-trn2", "train", "us-west-2", "trn2.48xlarge"),
        ("workstation", "workstation", "ca-west-1", "inf2.xlarge"),
    ],
)
def test_a_region_without_the_type_is_refused_with_regions_that_have_it(
    name: str, purpose: str, region: str, missing: str, tmp_path: Path
) -> None:
    with pytest.raises(ToolkitError, match=f"{missing} of template {name}: not offered in {region} on ") as raised:
        text_of(name, purpose=purpose, region=region)
    named = re.findall(r"[a-z]{2}(?:-[a-z]+)+-\d", str(raised.value.hint))
    row = CATALOG.instance_types.get(missing)
    assert row is not None
    assert named == [each for each in REGIONS if row.offered_zone_ids(each)]
    assert checked(written_of(name, purpose=purpose, region=named[0]), tmp_path).plan is not None


def test_the_hint_names_templates_of_the_purpose_that_the_region_has() -> None:
    with pytest.raises(ToolkitError) as raised:
        text_of("train-trn1", purpose="research", region="ap-south-2")
    assert str(raised.value.hint).endswith(", or --template train-trn2")


@pytest.mark.parametrize(
    ("given", "sdk", "framework"),
    [({}, "2.31.1", "vllm_nxd"), ({"model": find_model("llama-3.1-405b", None, load_catalog())}, "2.32.0", "vllm")],
)
def test_a_server_gets_a_framework_of_its_chip_with_the_newest_release_and_a_bucket(
    given: dict[str, object], sdk: str, framework: str, tmp_path: Path
) -> None:
    text = text_of("dev-inf2", purpose="serve", region="us-east-2", **given)
    config = yaml.safe_load(text)
    assert config["neuron"] == {"sdk": sdk, "frameworks": [framework]}
    assert config["storage"]["checkpoint_bucket"] == {}
    assert config["lifecycle"] == "durable"
    assert "Nothing here holds state" not in text
    assert checked(text, tmp_path).plan is not None


def test_an_environment_to_develop_in_gets_no_bucket() -> None:
    assert "storage" not in yaml.safe_load(text_of("dev-inf2", purpose="develop"))


def test_a_large_model_gets_addresses_and_a_file_system_for_its_instances(tmp_path: Path) -> None:
    text = text_of("train-trn1", model=find_model(None, 405e9, load_catalog()))
    config = yaml.safe_load(text)
    group = config["eks"]["node_groups"][1]
    assert config["network"]["secondary_cidrs"] == [{"cidr": "100.64.0.0/16", "availability_zone": "usw2-az4"}]
    assert (group["count"]["max"], group["subnets"]) == (32, "secondary")
    assert config["storage"]["lustre"]["capacity_gib"] == 24000
    assert "# 1200, 2400, then steps of 2400." in text
    assert checked(text, tmp_path).plan is not None


@pytest.mark.parametrize(("purpose", "kind"), [("serve", "reservation"), ("finetune", "capacity_block")])
def test_a_type_without_an_on_demand_price_is_reserved_and_the_file_says_why(purpose: str, kind: str) -> None:
    model = find_model("llama-3.1-405b", None, load_catalog())
    text = text_of(templates_for(purpose)[0], purpose=purpose, region="us-east-2", model=model)
    group = yaml.safe_load(text)["eks"]["node_groups"][-1]
    assert (group["instance_type"], group["capacity"]["kind"], group["count"]["desired"]) == ("trn2.48xlarge", kind, 0)
    assert "AWS publishes no On-Demand price for the type" in text.replace("\n# ", " ")
    asked = text_of(templates_for(purpose)[0], purpose=purpose, region="us-east-2", model=model,
                    purchase_option="on_demand")  # fmt: skip
    assert "no On-Demand price" not in asked


def test_the_nearest_instances_for_a_training_are_of_a_chip_that_trains() -> None:
    with pytest.raises(ToolkitError, match=r"the nearest, \d+ x trn1.*; ap-south-1, .*us-west-2 did$"):
        text_of("train-trn1", region="eu-north-1", model=find_model("llama-3.1-8b", None, load_catalog()))
