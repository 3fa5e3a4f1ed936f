"""Namespaces for workloads on a local AWS: made, relabelled, kept when the file drops them, gone with the cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.aws.session import LocalTarget
from neuron_cluster.deploy.local_server import recorded
from tests.small_environment import small_environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

SMALL = small_environment(eks=("namespaces: [{name: default}]",), trn1=("queue: training",))
WITH_RESEARCH = SMALL.replace("[{name: default}]", "[{name: default, pod_security: baseline}, {name: research}]")
ENFORCE = "pod-security.kubernetes.io/enforce"


def rows(target: LocalTarget) -> list[dict[str, Any]]:
    return recorded(target.endpoint, target.account, target.region)


def level_of_default(target: LocalTarget) -> str:
    (patch,) = [row for row in rows(target) if row.get("resource") == "namespace/default"]
    return str(patch["patch"]["metadata"]["labels"][ENFORCE])


def objects(target: LocalTarget, kind: str) -> list[dict[str, Any]]:
    made = [each for row in rows(target) if row["kind"] == "manifest" for each in row["objects"]]
    return [each for each in made if each["kind"] == kind]


def homes_of_queues(target: LocalTarget) -> set[str]:
    return {each["metadata"]["namespace"] for each in objects(target, "LocalQueue")}


def test_a_namespace_comes_with_its_queue_and_is_kept_when_the_file_drops_it(
    run_small: Callable[..., Any], target: LocalTarget
) -> None:
    run_small(SMALL)
    assert level_of_default(target) == "restricted"
    assert homes_of_queues(target) == {"default"}

    run_small(WITH_RESEARCH)
    assert level_of_default(target) == "baseline"
    assert homes_of_queues(target) == {"default", "research"}
    (research,) = [each for each in objects(target, "Namespace") if each["metadata"]["name"] == "research"]
    assert research["metadata"]["labels"][ENFORCE] == "restricted"

    run_small(SMALL)
    assert level_of_default(target) == "restricted"
    assert "research" in {each["metadata"]["name"] for each in objects(target, "Namespace")}, "its claims hold data"
    assert not [row for row in rows(target) if any("delete" in command for command in row["commands"])]

    run_small(SMALL, "destroy")
    assert rows(target) == []
