"""Queues with running jobs on a local AWS: taken out of the file, given back, destroyed, deployed again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from local_aws.custom_resources.kubernetes_state import objects_in
from local_aws.custom_resources.record import waits
from local_aws.server import LocalAws
from neuron_cluster.aws.session import LocalTarget
from neuron_cluster.deploy.local_server import recorded
from neuron_cluster.local_checks.kueue import admit_workload, workloads_in
from tests.small_environment import small_environment

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

SMALL = small_environment(eks=("namespaces: [{name: default}]",), trn1=("queue: training",), desired=1)
WITHOUT = SMALL.replace("      queue: training\n", "")


def test_no_job_keeps_a_deploy_or_a_destroy_from_ending(
    run_small: Callable[..., Any], target: LocalTarget, aws: LocalAws
) -> None:
    where = (aws.store, target.account, target.region, "small")

    def queues() -> set[str]:
        return {each["metadata"]["name"] for each in objects_in(*where) if each["kind"] == "ClusterQueue"}

    run_small(SMALL)
    admit_workload(*where, queue="training", name="one")
    run_small(WITHOUT)
    assert queues() == set()
    assert workloads_in(*where) == {"default/one": False}

    run_small(SMALL)
    admit_workload(*where, queue="training", name="two")
    for _ in range(2):
        run_small(SMALL, "destroy")
        assert recorded(target.endpoint, target.account, target.region) == []
        run_small(SMALL)
        assert queues() == {"training"}
        admit_workload(*where, queue="training", name="three")
    run_small(SMALL, "destroy")
    assert waits(aws.store, target.account, target.region) == {}
