"""The admission policy of a team's images, evaluated in CEL as the API server does."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import celpy
import pytest

from local_kubernetes.model.allowed_images import is_allowed
from neuron_cluster.plan.team import Team
from neuron_cluster.schedulers.kubernetes.software.team_images import team_images
from tests.cel_admission import rejections
from tests.every_run import in_every_run

DIGEST, OTHER_DIGEST = f"sha256:{'a' * 64}", f"sha256:{'b' * 64}"
FOLDER, PORT_FOLDER = "example.com/team/", "registry:5000/team/"
REPOSITORY = "public.ecr.aws/neuron/jax-training-neuronx"
TAGGED, BY_DIGEST, BOTH = (
    "example.com/tools/shell:v1",
    f"example.com/tools/debug@{DIGEST}",
    f"example.com/tools/both:v1@{DIGEST}",
)
ENTRIES = (FOLDER, PORT_FOLDER, REPOSITORY, TAGGED, BY_DIGEST, BOTH)
ALLOWED = (
    "example.com/team/a",
    "example.com/team/deep/er/a:v1",
    f"example.com/team/a@{DIGEST}",
    "registry:5000/team/a:v1",
    REPOSITORY,
    f"{REPOSITORY}:any",
    f"{REPOSITORY}@{OTHER_DIGEST}",
    f"{REPOSITORY}:any@{OTHER_DIGEST}",
    TAGGED,
    BY_DIGEST,
    BOTH,
)
REJECTED = (
    "example.com/team",
    "example.com/team-evil/a",
    "example.com/team.evil/a",
    "example.com/teams/a",
    "example.com.evil.com/team/a",
    "evil.com/example.com/team/a",
    "evil.com/a?example.com/team/",
    "EXAMPLE.com/team/a",
    " example.com/team/a",
    "registry:5001/team/a",
    "registry/team/a",
    "registry:5000/team-evil/a",
    f"{REPOSITORY}-evil:v1",
    f"{REPOSITORY}/evil:v1",
    f"{REPOSITORY}.evil",
    "public.ecr.aws/neuron/jax-training-neuron",
    f"{TAGGED}0",
    f"{TAGGED}@{OTHER_DIGEST}",
    "example.com/tools/shell",
    f"example.com/tools/debug@{OTHER_DIGEST}",
    "example.com/tools/debug:v1",
    f"example.com/tools/both:v1@{OTHER_DIGEST}",
    "example.com/tools/both:v1",
    "busybox",
    "library/busybox",
    "docker.io/library/busybox",
    "",
)
PLACES = ("containers", "initContainers", "ephemeralContainers")


def in_each_list(images: Sequence[str]) -> list[Any]:
    """Every image as that of a container, and in every run two of them in each other list."""
    always = [(image, place) for image in images for place in PLACES if place == PLACES[0] or image in images[1:3]]
    return in_every_run(itertools.product(images, PLACES), always)


TEAM = Team("research", namespaces=("research", "trials"), images=ENTRIES)
OBJECTS = {each["kind"]: each for each in team_images(TEAM).objects}
POLICY, BINDING = OBJECTS["ValidatingAdmissionPolicy"], OBJECTS["ValidatingAdmissionPolicyBinding"]


def pod(image: str = "example.com/team/a", **lists: Sequence[str]) -> dict[str, Any]:
    """One with a container, and further ones by the name of their list."""
    named = {name: [{"name": each, "image": each} for each in images] for name, images in lists.items()}
    return {"spec": {"containers": [{"name": "main", "image": image}], **named}}


def answer(new: Mapping[str, Any], old: Mapping[str, Any] | None = None, policy: Mapping[str, Any] = POLICY) -> str:
    """The message with which the request is rejected; empty where it is admitted."""
    return "".join(rejections(policy, new, old))


@pytest.mark.parametrize(("image", "place"), in_each_list(ALLOWED))
def test_an_image_of_the_list_is_admitted(image: str, place: str) -> None:
    assert answer(pod(**{place: [image]})) == ""
    assert is_allowed(image, ENTRIES)


@pytest.mark.parametrize(("image", "place"), in_each_list(REJECTED))
def test_any_other_image_is_rejected_in_each_list_of_containers(image: str, place: str) -> None:
    assert answer(pod(**{place: [image]})).startswith(f"image {image} is not in the list of team research")
    assert not is_allowed(image, ENTRIES)


def test_one_image_outside_of_the_list_is_rejected_with_a_message_on_both() -> None:
    message = answer(pod(initContainers=["example.com/team/a", "busybox:1.36"], ephemeralContainers=[REPOSITORY]))
    assert message == (
        "image busybox:1.36 is not in the list of team research (teams[].images of the environment file): "
        + ", ".join(ENTRIES)
    )


def test_an_image_that_is_mounted_is_compared_too() -> None:
    def mounting(image: str) -> dict[str, Any]:
        volumes = [{"name": "data", "emptyDir": {}}, {"name": "files", "image": {"reference": image}}]
        return {"spec": {**pod()["spec"], "volumes": volumes}}

    assert answer(mounting(TAGGED)) == ""
    assert "busybox" in answer(mounting("busybox"))


def test_an_update_is_judged_by_the_images_that_it_adds() -> None:
    """A controller can remove the finalizer of a pod that began with a longer list."""
    old = pod("busybox")
    assert answer(pod("busybox"), old) == ""
    assert answer(pod("busybox", ephemeralContainers=[TAGGED]), old) == ""
    assert "alpine" in answer(pod("alpine"), old)
    assert "alpine" in answer(pod("busybox", ephemeralContainers=["alpine"]), old)
    assert "busybox" in answer(pod("busybox"), pod())


LISTS = ((FOLDER,), (REPOSITORY,), (TAGGED,), ENTRIES)


@pytest.mark.parametrize(
    "entries", [pytest.param(each, marks=[pytest.mark.exhaustive] * (each is ENTRIES)) for each in LISTS]
)
def test_the_policy_and_the_checks_before_the_deploy_agree(entries: tuple[str, ...]) -> None:
    policy = team_images(Team("research", namespaces=("research",), images=entries)).objects[0]
    for image in (*ALLOWED, *REJECTED):
        assert (answer(pod(image), policy=policy) == "") == is_allowed(image, entries), image


def test_pods_and_ephemeral_containers_are_matched_only_in_namespaces_of_the_team() -> None:
    (rule,) = POLICY["spec"]["matchConstraints"]["resourceRules"]
    assert (rule["resources"], rule["operations"]) == (["pods", "pods/ephemeralcontainers"], ["CREATE", "UPDATE"])
    (names,) = BINDING["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"]
    assert (names["key"], names["operator"], names["values"]) == (
        "kubernetes.io/metadata.name",
        "In",
        ["research", "trials"],
    )


def test_what_cannot_be_evaluated_is_rejected() -> None:
    assert POLICY["spec"]["failurePolicy"] == "Fail"
    assert BINDING["spec"]["validationActions"] == ["Deny"]
    assert BINDING["spec"]["policyName"] == POLICY["metadata"]["name"]
    with pytest.raises(celpy.CELEvalError):
        answer({"spec": {"containers": [{"name": "main"}]}})
