"""A stack that is not finished after a deploy is an error."""

from __future__ import annotations

import pytest
from hint_commands import command_error, commands_in

from neuron_cluster.deploy.destination import local_destination
from neuron_cluster.deploy.existing import Existing, ExistingStack
from neuron_cluster.deploy.health import health_findings
from neuron_cluster.plan.cluster_plan import ClusterPlan


@pytest.mark.parametrize(
    "status", ["CREATE_IN_PROGRESS", "ROLLBACK_COMPLETE", "UPDATE_ROLLBACK_FAILED", "DELETE_COMPLETE"]
)
def test_a_stack_that_is_not_finished_is_an_error(status: str, training: ClusterPlan) -> None:
    done = ExistingStack("train-network", "UPDATE_COMPLETE", 3, is_protected=False)
    odd = ExistingStack("train-nodes", status, 3, is_protected=False)
    empty: dict[str, tuple[()]] = dict.fromkeys(Existing.__struct_fields__, ())
    found = Existing(**{**empty, "stacks": (done, odd)})  # type: ignore[arg-type]  # empty tuples of every kind
    here = local_destination("http://127.0.0.1:9", "111122223333", "us-west-2")
    (error,) = health_findings(found, training, here)
    assert (error.id, error.location.file) == ("E9522", "train-nodes")
    assert status in error.message
    assert [command_error(command) for command in commands_in(error.hint)] == [""]
