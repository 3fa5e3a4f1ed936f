"""Every image of a workload is held against the same windows: of values, of a rendered pod, of a user's manifest."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hint_commands import command_error, commands_in

from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.errors import InvalidEnvironment
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.schedulers.kubernetes.software.front_ends import starter_images
from neuron_cluster.schedulers.kubernetes.workloads.group_selection import chip_of
from neuron_cluster.schedulers.kubernetes.workloads.image_compatibility import pod_image_findings
from neuron_cluster.schedulers.kubernetes.workloads.image_context import ImageContext
from neuron_cluster.schedulers.kubernetes.workloads.image_selection import select_image
from neuron_cluster.schedulers.kubernetes.workloads.object_checks import check_workload
from neuron_cluster.schedulers.kubernetes.workloads.recipes.neuron_serving import NEURON_SERVING
from neuron_cluster.schedulers.kubernetes.workloads.recipes.neuron_training import NEURON_TRAINING
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate
from tests.every_case import every_case
from tests.unit.schedulers.kubernetes.conftest import Choose

Plan = Callable[..., ClusterPlan]
GALLERY = "public.ecr.aws/neuron"
MIRROR = "111122223333.dkr.ecr.us-east-2.amazonaws.com"
VLLM = "pytorch-inference-vllm-neuronx:0.24.0.1.1.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
NEWER_VLLM = "pytorch-inference-vllm-neuronx:0.29.0.1.2.0-neuronx-py314-sdk2.33.0-ubuntu26.04"
JAX = "jax-training-neuronx:0.10.0-neuronx-py313-sdk2.32.0-ubuntu24.04"
OLD_JAX = "jax-training-neuronx:0.9.0-neuronx-py313-sdk2.30.0-ubuntu24.04"
INF1 = "pytorch-inference-neuron:1.13.1-neuron-py310-sdk2.20.2-ubuntu20.04"
DIGEST, OTHER_DIGEST = f"sha256:{'a' * 64}", f"sha256:{'b' * 64}"
DRIVER_2_29 = {"eks.node_groups.1.ami_release": "1.35.6-20260714"}


def pod(image: str, *, devices: int = 1, init_image: str = "") -> dict[str, Any]:
    """A Job whose container requests devices, with an init container that does not."""
    limits = {"limits": {"aws.amazon.com/neuron": devices}} if devices else {}
    spec: dict[str, Any] = {
        "tolerations": [{"operator": "Exists"}],
        "containers": [{"name": "main", "image": image, "resources": limits}],
        "initContainers": [{"name": "first", "image": init_image}] if init_image else [],
    }
    job = {"parallelism": 1, "template": {"spec": spec}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": job}


def found_in(plan: ClusterPlan, catalog: Catalog, body: dict[str, Any], locked: str = "") -> list[tuple[str, str]]:
    """Id and message about the images of an object; ``locked`` has DIGEST in the lock."""
    pods = pods_of([body])
    results = evaluate(plan, catalog, ()).results(pods)
    context = ImageContext(plan, catalog, {locked: DIGEST} if locked else {})
    return [(each.finding_id, each.message) for result in results for each in pod_image_findings(result, context)]


@every_case(
    "environment, edits, image, expected, text",
    [
        ("train-trn2", {}, f"{GALLERY}/{VLLM}", [], ""),
        ("train-trn2", {}, f"{MIRROR}/copies/{VLLM}", [], ""),
        ("train-trn2", {}, f"{GALLERY}/{VLLM}@{DIGEST}", [], ""),
        ("train-trn1", {}, f"{GALLERY}/{JAX}", [], ""),
        ("serve-inf1", {}, f"{GALLERY}/{INF1}", ["W9216"], "AWS no longer builds"),
        ("train-trn2", {}, f"{GALLERY}/{INF1}", ["E9242"], "supports inf1, but the nodes have AWS Trainium2"),
        ("train-trn1", {}, f"{GALLERY}/{VLLM}", ["E9242"], "supports trn2, trn3, but the nodes have AWS Trainium"),
        ("train-trn2", {}, f"{GALLERY}/{NEWER_VLLM}", ["W9216"], "SDK 2.33.0, but the environment has 2.32.0"),
        ("train-trn1", DRIVER_2_29, f"{GALLERY}/{OLD_JAX}", ["E9243", "W9216"], "nrt_init() fails"),
        ("train-trn2", {}, f"{GALLERY}/pytorch-inference-vllm-neuronx:9.9", ["E9241"], "with tag 9.9"),
        ("train-trn2", {}, f"{GALLERY}/pytorch-inference-vllm-neuronx", ["E9241"], "without a tag"),
        ("train-trn2", {}, f"{GALLERY}/pytorch-inference-vllm-neuronx:latest", ["E9241"], "with tag latest"),
        ("train-trn2", {}, f"{GALLERY}/jax-trainin-neuronx:0.10", ["E9241"], "no image"),
        ("train-trn2", {}, f"{MIRROR}/pytorch-inference-vllm-neuronx:mine", ["W9244"], "was not compared"),
        ("train-trn2", {}, f"{MIRROR}/mine:1", ["W9244"], "is not in the catalog"),
        ("train-trn2", {}, f"{MIRROR}/mine@{DIGEST}", ["W9244"], "by digest alone"),
    ],
)
def test_an_image_of_a_pod_with_devices(
    environment: str,
    edits: dict[str, Any],
    image: str,
    expected: list[str],
    text: str,
    cached_plan: Plan,
    catalog: Catalog,
) -> None:
    found = found_in(cached_plan(environment, edits), catalog, pod(image))
    assert [finding_id for finding_id, _ in found] == expected, found
    assert not expected or text in found[0][1]


def test_the_hint_about_a_pinned_release_of_inf1_keeps_it(cached_plan: Plan, catalog: Catalog) -> None:
    plan = cached_plan("serve-inf1")
    context = ImageContext(plan, catalog, {})
    (result,) = evaluate(plan, catalog, ()).results(pods_of([pod(f"{GALLERY}/{INF1}")]))
    (found,) = pod_image_findings(result, context)
    assert plan.kubernetes is not None
    release = next(group.image.release for group in plan.kubernetes.node_groups if group.machine.is_neuron)
    assert f"keep AMI release {release}" in found.hint


def test_the_hint_about_an_image_of_inf2_without_a_lock_names_an_ami_release(
    cached_plan: Plan, catalog: Catalog
) -> None:
    image = pod(f"{GALLERY}/pytorch-inference-vllm-neuronx:0.16.0-neuronx-py312-sdk2.31.1-ubuntu24.04")

    def hint(plan: ClusterPlan) -> str:
        (result,) = evaluate(plan, catalog, ()).results(pods_of([image]))
        (found,) = pod_image_findings(result, ImageContext(plan, catalog, {}))
        assert found.finding_id == "W9216"
        return found.hint

    said = re.search(
        r": set ami_release of inf2 to (\S+) \(driver [\d.]+\) in the environment file, so",
        hint(cached_plan("dev-inf2")),
    )
    assert said
    edits = {"eks.node_groups.1.ami_release": said[1]}
    assert f": keep AMI release {said[1]}, so" in hint(cached_plan("dev-inf2", edits))


def test_the_hint_about_an_image_on_hyperpod_names_no_ami_release_of_eks(cached_plan: Plan, catalog: Catalog) -> None:
    image = pod(f"{GALLERY}/pytorch-inference-vllm-neuronx:0.16.0-neuronx-py312-sdk2.31.1-ubuntu24.04")
    (result,) = evaluate(cached_plan("hyperpod-teams"), catalog, ()).results(pods_of([image]))
    (found,) = pod_image_findings(result, ImageContext(cached_plan("hyperpod-teams"), catalog, {}))
    assert "set ami_release of trn1 to the one that its nodes have, or to one that you tested" in found.hint


def test_a_digest_that_the_lock_has_is_the_image_of_its_tag(cached_plan: Plan, catalog: Catalog) -> None:
    plan, repository = cached_plan("train-trn1"), f"{GALLERY}/{VLLM.partition(':')[0]}"
    ((finding_id, _),) = found_in(plan, catalog, pod(f"{repository}@{DIGEST}"), locked=f"{GALLERY}/{VLLM}")
    assert finding_id == "E9242"
    ((finding_id, _),) = found_in(plan, catalog, pod(f"{repository}@{OTHER_DIGEST}"), locked=f"{GALLERY}/{VLLM}")
    assert finding_id == "W9244"


def test_without_devices_an_image_only_has_to_exist(cached_plan: Plan, catalog: Catalog) -> None:
    plan = cached_plan("train-trn1")
    assert found_in(plan, catalog, pod(f"{GALLERY}/{VLLM}", devices=0)) == []
    assert found_in(plan, catalog, pod(f"{GALLERY}/{JAX}", init_image="quay.io/tools/fetch:1")) == []
    unknown = pod(f"{GALLERY}/{JAX}", init_image=f"{GALLERY}/jax-training-neuronx:9")
    assert [finding_id for finding_id, _ in found_in(plan, catalog, unknown)] == ["E9241"]


def test_every_image_is_pulled_also_that_of_an_init_container(cached_plan: Plan, catalog: Catalog) -> None:
    plan = cached_plan("dev-inf2", {"network.nat": "none", "eks.image_cache": True})
    cached = plan.pulled_as(f"{GALLERY}/{JAX}")
    assert found_in(plan, catalog, pod(cached)) == []
    ((finding_id, message),) = found_in(plan, catalog, pod(cached, init_image="quay.io/tools/fetch:1"))
    assert (finding_id, "quay.io/tools/fetch is not in ECR" in message) == ("E9208", True)


def test_a_rendered_pod_may_have_another_image_than_the_values_name(
    cached_plan: Plan, choose: Choose, catalog: Catalog
) -> None:
    cluster = cached_plan("train-trn1").kubernetes
    assert cluster is not None
    chosen = choose("neuron-training", "train-trn1", claim="lustre")

    def images(body: dict[str, Any]) -> list[tuple[str, str]]:
        found = check_workload(chosen, [body], cluster, catalog, namespace="default")
        return [(each.id, each.location.path or "") for each in found if each.id.startswith("E92")]

    assert images(pod(chosen.image)) == []
    place = "Job default/j spec.template.spec.containers[0]"
    assert images(pod(f"{GALLERY}/{VLLM}")) == [("E9242", place)]


def test_the_digest_of_the_lock_is_not_that_of_another_image_which_is_given(choose: Choose) -> None:
    """It remained that of the toolkit's own choice, and the chart pulled that image instead."""
    locked = {f"{GALLERY}/{VLLM}": DIGEST}
    repository = f"{GALLERY}/{VLLM}".partition(":")[0]
    assert choose("neuron-serving", "train-trn2", digests=locked, claim="c").image == f"{repository}@{DIGEST}"
    image = {"repository": f"{MIRROR}/mine", "tag": "1"}
    own = choose("neuron-serving", "train-trn2", digests=locked, claim="c", given={"image": image})
    assert own.image == f"{MIRROR}/mine:1"
    older = {"image": {"tag": "0.21.0.1.0.0-neuronx-py313-sdk2.31.1-ubuntu24.04"}}
    given = choose("neuron-serving", "train-trn2", digests=locked, claim="c", given=older)
    assert given.image == f"{repository}:{older['image']['tag']}"


def test_the_compiler_of_the_values_is_that_of_the_image(choose: Choose) -> None:
    """Its version names the folder of compiled graphs."""
    usual = choose("neuron-serving", "train-trn1", claim="c").values
    older = "0.16.0-neuronx-py312-sdk2.30.0-ubuntu24.04"
    values = choose("neuron-serving", "train-trn1", claim="c", given={"image": {"tag": older}}).values
    assert values["image"]["tag"] == older
    assert values["compiler"]["version"] != usual["compiler"]["version"]


def test_a_digest_alone_is_in_doubt(choose: Choose) -> None:
    chosen = choose("neuron-serving", "train-trn2", claim="c", given={"image": {"digest": OTHER_DIGEST}})
    assert "W9244" in {each.id for each in chosen.findings}
    with pytest.raises(InvalidEnvironment) as refusal:
        choose("neuron-serving", "train-trn1", claim="c", given={"image": {"tag": VLLM.partition(":")[2]}})
    assert "E9242" in {each.id for each in refusal.value.findings}


@pytest.mark.parametrize(
    ("environment", "edits", "front_end", "said"),
    [
        ("train-trn1", {}, "jax", ""),
        ("train-trn1", {"neuron.frameworks": ["nxd_training"], "neuron.sdk": "2.29.1"}, "nxd", ""),
        ("train-trn1", {"neuron.frameworks": ["jax", "nxd_training"], "neuron.sdk": "2.29.1"}, "jax", ""),
        ("train-trn2", {"neuron.frameworks": ["torchtitan"], "neuron.sdk": "2.33.0"}, "jax", "no public image"),
        (
            "train-trn2",
            {"neuron.frameworks": ["torch_neuron_native"], "neuron.sdk": "2.33.0"},
            "jax",
            "no front end of",
        ),
        ("train-trn2", {"neuron.frameworks": ["vllm", "nki"], "neuron.sdk": "2.33.0"}, "jax", ""),
    ],
)
def test_frameworks_of_the_file_decide_the_front_end(
    choose: Choose, environment: str, edits: dict[str, Any], front_end: str, said: str
) -> None:
    chosen = choose("neuron-training", environment, edits, claim="lustre")
    assert chosen.values["frontEnd"] == front_end
    found = [each.message for each in chosen.findings if each.id == "W9283"]
    assert len(found) == bool(said)
    assert all(said in message for message in found)


TITAN = {"neuron.frameworks": ["torchtitan"], "neuron.sdk": "2.33.0"}
OWN = {"repository": "111122223333.dkr.ecr.us-east-2.amazonaws.com/titan", "tag": "1"}


@pytest.mark.hints("W9283", "W9284")
@pytest.mark.parametrize(
    ("finding_id", "bad", "ways"),
    [
        ("W9283", ("train-trn2", TITAN, {}), [
            ("train-trn2", TITAN, {"front_end": "torchtitan", "given": {"image": OWN}}),
            ("train-trn2", TITAN, {"front_end": "jax"}),
            ("train-trn2", TITAN | {"neuron.frameworks": ["torchtitan", "jax"]}, {}),
        ]),
        ("W9284", ("dev-inf2", {"eks.addons.jobset": True}, {}), [("train-trn2", None, {})]),
    ],
)  # fmt: skip
def test_another_framework_and_a_chip_for_inference_are_said(
    choose: Choose, finding_id: str, bad: Any, ways: list[Any]
) -> None:
    for environment, edits, wish in (bad, *ways):
        chosen = choose("neuron-training", environment, edits, claim="lustre", **wish)
        found = [each for each in chosen.findings if each.id == finding_id]
        assert len(found) == ((environment, edits, wish) == bad)
        assert all(not command_error(line) for each in found for line in commands_in(each.hint))


@every_case(
    "sdk, frameworks, front_ends",
    [
        ("2.32.0", [], ("jax", "vllm_nxd")),
        ("2.29.1", ["torch_neuronx_training", "vllm_nxd"], ("nxd", "vllm_nxd")),
    ],
)
def test_starter_images_are_those_that_the_charts_select(
    sdk: str, frameworks: list[str], front_ends: tuple[str, ...], cached_plan: Plan, catalog: Catalog
) -> None:
    plan = cached_plan("train-trn1", {"neuron.sdk": sdk, "neuron.frameworks": frameworks})
    assert plan.kubernetes is not None
    group = next(each for each in plan.kubernetes.node_groups if each.machine.is_neuron)
    chip, recipes = chip_of(group, catalog), (NEURON_TRAINING, NEURON_SERVING)
    selected = [
        select_image(recipe, chip, sdk, catalog, front_end=None, declared=plan.frameworks) for recipe in recipes
    ]
    assert tuple(each.front_end for each in selected if each is not None) == front_ends
    assert list(starter_images(group, plan, catalog)) == [each.container for each in selected if each is not None]
