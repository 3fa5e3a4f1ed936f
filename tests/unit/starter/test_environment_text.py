"""Environment files from each template: valid, with a plan, and without comments that no longer hold."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
import yaml

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.pipeline import Checked, check_environment
from neuron_cluster.sizing.find_model import find_model
from neuron_cluster.starter.data_file import purposes, template_rows
from neuron_cluster.starter.environment_text import Written, environment_text
from neuron_cluster.starter.new_environment import NewEnvironment
from neuron_cluster.starter.purchase_options import PURCHASE_OPTIONS
from neuron_cluster.starter.template import template, templates_for
from neuron_cluster.upgrade.file_edit import scalar_values
from tests.every_run import in_every_run

CATALOG = load_catalog()
MODELS_OF_TESTS = Path(__file__).parents[2] / "fixtures" / "models"
TEMPLATES_OF_PURPOSES = [(name, purpose) for name, row in template_rows().items() for purpose in row.purposes]


def written_of(name: str, **given: object) -> Written:
    region = scalar_values(template(name).text)[("region",)]
    values = {"name": "mine", "account": "210987654321", "region": region, **given}
    return environment_text(template(name), NewEnvironment(**values), CATALOG)  # type: ignore[arg-type]


def text_of(name: str, **given: object) -> str:
    return written_of(name, **given).text


def checked(written: Written | str, folder: Path) -> Checked:
    for name, text in ({"mine.yaml": written} if isinstance(written, str) else written.files).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return check_environment(folder / "mine.yaml", display_name="mine.yaml")


# `init` writes every template in every run: tests/unit/cli/test_init.py
@pytest.mark.parametrize(
    ("name", "purpose"),
    in_every_run(TEMPLATES_OF_PURPOSES, {purpose: (name, purpose) for name, purpose in TEMPLATES_OF_PURPOSES}.values()),
)
def test_a_template_is_valid_for_each_of_its_purposes(name: str, purpose: str, tmp_path: Path) -> None:
    found = checked(written_of(name, purpose=purpose), tmp_path)
    assert found.plan is not None
    assert [each.id for each in found.findings if each.severity == "error"] == []


@pytest.mark.parametrize("purpose", [name for name in purposes() if name != "workstation"])
def test_the_default_template_of_a_purpose_is_sized_for_a_model(purpose: str, tmp_path: Path) -> None:
    name = templates_for(purpose)[0]
    model = find_model("llama-3.1-8b", None, CATALOG)
    text = text_of(name, purpose=purpose, region="us-west-2", model=model, teams=("red",))
    found = checked(text, tmp_path)
    assert found.plan is not None
    group = found.plan.compute_groups[-1]
    assert text.splitlines()[1].split(" on ")[1].startswith(f"{group.scaling.maximum} x {group.machine.instance_type}")


@pytest.mark.parametrize("option", PURCHASE_OPTIONS)
def test_comments_about_another_purchase_option_are_removed(option: str, tmp_path: Path) -> None:
    text = text_of("train-trn2", purchase_option=option)
    assert checked(text, tmp_path).plan is not None
    comments = [line for line in text.splitlines() if line.lstrip().startswith("#")]
    about_blocks = [line for line in comments if re.search(r"\bblocks?\b", line)]
    assert bool(about_blocks) == (option == "capacity_block")


def test_other_comments_stay(tmp_path: Path) -> None:
    before = template("train-trn1").text
    after = text_of("train-trn1", devices=128)
    assert "# All 8 network cards. A cluster placement group" in after
    assert after.splitlines()[1] == "# 8 x trn1.32xlarge, On-Demand, from the template train-trn1."
    assert yaml.safe_load(after)["eks"]["node_groups"][1]["count"] == {"min": 0, "desired": 8, "max": 8}
    assert len(after.splitlines()) == len(before.splitlines()) - 1  # the comment about the account
    assert checked(after, tmp_path).plan is not None


def test_zones_offer_the_instances_in_another_region(tmp_path: Path) -> None:
    text = text_of("train-trn1", region="us-east-2", model=find_model("llama-3.1-70b", None, CATALOG),
                   purchase_option="capacity_block")  # fmt: skip
    config = yaml.safe_load(text)
    group = config["eks"]["node_groups"][1]
    row = CATALOG.instance_types.get(group["instance_type"])
    assert row is not None
    assert group["availability_zone"] in row.zone_ids["us-east-2"]
    assert group["availability_zone"] == config["storage"]["lustre"]["availability_zone"]
    assert "usw2" not in text
    assert "us-west-2" not in text
    assert group["name"] == "trn2"


def test_comments_of_the_new_instances_stay() -> None:
    text = text_of("train-trn2u", region="us-east-2", model=find_model("llama-3.1-70b", None, CATALOG),
                   purchase_option="capacity_block", teams=("red",))  # fmt: skip
    assert (
        "      # The reservation that the Capacity Block came with: write its id. Each block has another one.\n" in text
    )
    assert "    # Pods claim devices of class neuron.aws.com: it is what EKS advises" in text
    spread = text_of(
        "dev-trn2", region="us-west-2", purpose="finetune", model=find_model("llama-3.1-8b", None, CATALOG)
    )
    assert "      # A zone that offers the type.\n      availability_zone: usw2-az" in spread
    assert "# Fine-tune llama-3.1-8b on 1 x trn1.32xlarge, On-Demand." in spread


def test_a_fine_tuning_pays_for_no_node_before_it_starts() -> None:
    for given in ({"model": find_model("llama-3.1-8b", None, CATALOG)}, {"purchase_option": "spot"}, {"devices": 32}):
        config = yaml.safe_load(text_of(templates_for("finetune")[0], purpose="finetune", **given))
        group = config["eks"]["node_groups"][-1]
        assert (group["instance_type"], group["count"]["desired"]) == ("trn1.32xlarge", 0)


@pytest.mark.parametrize("option", [None, "spot", "reservation", "capacity_block"])
def test_a_group_that_starts_instances_for_jobs_gets_no_desired_number(option: str | None, tmp_path: Path) -> None:
    text = text_of("slurm-trn1", devices=64, purchase_option=option)
    assert yaml.safe_load(text)["slurm"]["groups"][0]["count"] == {"min": 0, "max": 4}
    assert "set desired" not in text.lower()
    assert checked(text, tmp_path).plan is not None


@pytest.mark.parametrize("option", [None, "spot"])
def test_several_instances_instead_of_one_have_efa_in_one_zone(option: str | None, tmp_path: Path) -> None:
    text = text_of("finetune-trn1", devices=32, purchase_option=option)
    group = yaml.safe_load(text)["eks"]["node_groups"][-1]
    assert (group["count"]["max"], group["efa"], group["availability_zone"]) == (2, "efa", "usw2-az4")
    assert "One node needs" not in text
    assert checked(text, tmp_path).plan is not None


def test_commands_in_comments_name_the_environment_also_before_options() -> None:
    text = text_of("finetune-trn1")
    assert "workload rehearse neuron-training mine --claim efs-runs" in text
    assert "finetune-trn1" not in text


def test_the_comment_about_spreading_is_removed_for_a_reservation() -> None:
    assert "spreads" not in text_of("serve-inf1", purchase_option="reservation")


def test_an_encoder_is_sized_for_embeddings() -> None:
    model = find_model(str(MODELS_OF_TESTS / "bge-m3.json"), None, CATALOG)
    lines = text_of("dev-inf2", purpose="serve", region="us-west-2", model=model).splitlines()
    assert lines[1].startswith("# Embed texts with bge-m3 on 1 x inf2.xlarge, ")


def test_planned_checkpoints_are_those_of_the_model() -> None:
    named = text_of("train-trn1", model=find_model("llama-3.1-8b", None, CATALOG))
    counted = text_of("train-trn1", model=find_model(None, 8e9, CATALOG))
    assert yaml.safe_load(named)["storage"]["checkpoints"]["model"] == "llama-3.1-8b"
    assert yaml.safe_load(counted)["storage"]["checkpoints"]["parameters"] == "8B"


def test_the_hint_names_the_name_where_it_is_wrong() -> None:
    with pytest.raises(ToolkitError, match="at least 3 are needed") as raised:
        environment_text(
            template("slurm-trn1"), NewEnvironment(name="ab", account="210987654321", region="us-west-2"), CATALOG
        )
    assert "change the name, --region or --template" in str(raised.value.hint)


def test_the_hint_names_the_options_that_were_given() -> None:
    with pytest.raises(ToolkitError, match="E2051") as raised:
        text_of("train-trn1", teams=("kube-system",))
    assert raised.value.hint is not None
    assert raised.value.hint.startswith("change --team, --region or --template; ")


@pytest.mark.parametrize("devices", [16, 32, 48])
def test_checkpoints_of_a_model_that_needs_more_nodes_are_not_planned(devices: int, tmp_path: Path) -> None:
    text = text_of("train-trn1", devices=devices)
    assert "checkpoints" not in yaml.safe_load(text)["storage"]
    assert "neuron-cluster explain storage.checkpoints" in text
    assert checked(text, tmp_path).plan is not None


def test_checkpoints_of_the_model_of_the_template_stay_where_they_fit() -> None:
    assert yaml.safe_load(text_of("train-trn1", devices=64))["storage"]["checkpoints"]["model"] == "llama-3.1-70b"


def test_quotas_are_whole_nodes_and_the_first_team_has_the_rest() -> None:
    text = text_of("train-trn1", teams=("red", "green", "blue"))
    quotas = [team["quota"][0]["devices"] for team in yaml.safe_load(text)["teams"]]
    assert quotas == [96, 80, 80]


REGIONS = ("us-west-2", "us-east-2", "eu-north-1", "sa-east-1")
TEAMS = ((), ("red",), ("red", "green", "blue"))
MODELS = (None, "llama-3.1-8b")


COMBINATIONS = list(itertools.product(purposes(), (None, *PURCHASE_OPTIONS), REGIONS))


@pytest.mark.exhaustive
@pytest.mark.parametrize(("purpose", "option", "region"), COMBINATIONS)
def test_every_combination_is_valid_or_rejected(purpose: str, option: str | None, region: str, tmp_path: Path) -> None:
    for name, teams, model in itertools.product(templates_for(purpose), TEAMS, MODELS):
        sizes = find_model(model, None, CATALOG) if model is not None else None
        try:
            written = written_of(name, purpose=purpose, region=region, purchase_option=option, teams=teams, model=sizes)
        except ToolkitError as error:  # any other exception fails the test
            message = error.message
        else:
            message = "" if checked(written, tmp_path).plan is not None else written.text
        assert "\n" not in message or re.search(r"\n(the nearest|[EW]\d+ |no instance type)", message), message
