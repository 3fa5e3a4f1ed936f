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

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

SMALL = """
schema: 1
name: small
account: 111122223333
region: us-west-2
neuron: {sdk: 2.32.0}
network:
  cidr: 10.40.0.0/16
  availability_zones: [usw2-az4, usw2-az1]
  nat: single
eks:
  version: "1.35"
  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}
  namespaces: [{name: default}]
  node_groups:
    - name: system
      instance_type: m7i.xlarge
      count: {min: 2, desired: 2, max: 2}
    - name: trn1
      instance_type: trn1.2xlarge
      count: {min: 0, desired: 1, max: 1}
      queue: training
"""
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
