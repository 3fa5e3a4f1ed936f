"""The image of a workload is held against the same windows as `neuron.containers` of the file, whoever chose it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.findings.finding import Finding
from tests.unit.schedulers.kubernetes.conftest import Choose

RELEASE = "eks.node_groups.1.ami_release"
DRIVER_2_29, DRIVER_2_28, DRIVER_2_26 = "1.35.6-20260714", "1.35.6-20260625", "1.35.2-20260403"
SDK_2_32 = "0.24.0.1.1.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
PROGRAM = {"trainer": {"program": ["train.py"]}}


def found(choose: Choose, chart: str, environment: str, edits: dict[str, Any], **wish: Any) -> list[Finding]:
    """Findings about the image, of a refusal or of values that were chosen."""
    try:
        findings = choose(chart, environment, edits, **wish).findings
    except InvalidEnvironment as refusal:
        findings = refusal.findings
    return [each for each in findings if re.match(r"[EW]924", each.id)]


def nxd(choose: Choose, release: str | None, **given: Any) -> list[Finding]:
    edits = {RELEASE: release} if release else {}
    return found(choose, "neuron-training", "train-trn1", edits, front_end="nxd", claim="c", given={**PROGRAM, **given})


def test_a_front_end_whose_newest_image_the_driver_refuses_is_refused(choose: Choose) -> None:
    """It was rendered with the image of SDK 2.30, of which E5010 says that nrt_init() fails."""
    [finding] = nxd(choose, DRIVER_2_29)
    assert (finding.id, finding.location.path) == ("E9243", "image.tag")
    assert "nrt_init()" in finding.message


def test_the_way_out_of_the_hint_leads_out(choose: Choose) -> None:
    [finding] = nxd(choose, DRIVER_2_29)
    release = re.search(r"set ami_release of trn1 to (\S+)", finding.hint)
    assert release is not None
    assert nxd(choose, release[1]) == []
    tag = re.search(r"--set image\.tag=(\S+?)(,|$)", finding.hint)
    if tag is not None:
        assert nxd(choose, DRIVER_2_29, image={"tag": tag[1]}) == []


def test_without_a_pinned_release_nothing_is_said(choose: Choose) -> None:
    assert nxd(choose, None) == []


def test_a_runtime_that_is_too_new_for_the_driver_is_refused(choose: Choose) -> None:
    image = {"tag": "0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"}
    chosen = {"image": image}
    edits = {RELEASE: DRIVER_2_26, "neuron.sdk": "2.29.1"}
    [finding] = found(choose, "collectives-check", "train-trn1", edits, given=chosen)
    assert finding.id in ("E9243", "W9244")
    assert "2.26" in finding.message


@pytest.mark.parametrize("tag", ["9.9.9", "0.24.0-sdk2.99.0"])
def test_an_unknown_tag_is_refused_and_the_hint_names_one_that_is_known(tag: str, choose: Choose) -> None:
    given = {"image": {"tag": tag}}
    [finding] = found(choose, "neuron-serving", "train-trn2", {}, claim="c", given=given)
    assert (finding.id, finding.location.path) == ("E9241", "image.tag")
    known = re.search(r"--set image\.tag=(\S+?);", finding.hint)
    assert known is not None
    assert found(choose, "neuron-serving", "train-trn2", {}, claim="c", given={"image": {"tag": known[1]}}) == []


def test_an_image_of_another_framework_or_chip_is_refused(choose: Choose) -> None:
    jax = {
        "repository": "public.ecr.aws/neuron/jax-training-neuronx",
        "tag": "0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04",
    }
    [framework] = found(choose, "neuron-serving", "train-trn2", {}, claim="c", given={"image": jax})
    assert (framework.id, "has jax" in framework.message) == ("E9242", True)
    vllm = {"repository": "public.ecr.aws/neuron/pytorch-inference-vllm-neuronx", "tag": SDK_2_32}
    given = {"image": vllm, **PROGRAM}
    [chip] = found(choose, "neuron-training", "train-trn1", {}, claim="c", given=given)
    assert chip.id == "E9242"


def test_a_copy_under_its_own_name_is_judged_and_an_image_of_ones_own_is_in_doubt(choose: Choose) -> None:
    mirror = "111122223333.dkr.ecr.us-east-2.amazonaws.com"
    copy = {"repository": f"{mirror}/pytorch-inference-vllm-neuronx", "tag": SDK_2_32}
    assert found(choose, "neuron-serving", "train-trn2", {}, claim="c", given={"image": copy}) == []
    own = {"repository": f"{mirror}/mine", "tag": "1"}
    [finding] = found(choose, "neuron-serving", "train-trn2", {}, claim="c", given={"image": own})
    assert finding.id == "W9244"


@pytest.mark.parametrize("front_end", ["jax", "nxd", "torchtitan"])
def test_every_front_end_has_a_program_of_the_chart(front_end: str, choose: Choose) -> None:
    """TorchTitan has no public image: the user builds one."""
    environment = "train-trn1" if front_end == "nxd" else "train-trn2"
    own = {"image": {"repository": "111122223333.dkr.ecr.us-east-2.amazonaws.com/titan", "tag": "1"}}
    given = own if front_end == "torchtitan" else {}
    chosen = choose("neuron-training", environment, front_end=front_end, claim="c", given=given)
    assert chosen.values["frontEnd"] == front_end
    assert "trainer" not in chosen.values
