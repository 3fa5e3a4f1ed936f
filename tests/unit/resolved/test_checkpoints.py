"""The section ``storage.checkpoints`` in the words of the planner."""

from __future__ import annotations

import itertools

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.checkpoints.build_spec import build_spec
from neuron_cluster.checkpoints.request import CheckpointRequest, Writers, invalid_fields
from neuron_cluster.cli.checkpoint_arguments import DEPLOYMENT_TYPE
from neuron_cluster.config.checkpoints import CheckpointFramework, CheckpointOptimizer, CheckpointPrecision, Checkpoints
from neuron_cluster.config.lustre import Lustre
from neuron_cluster.resolved.checkpoints import checkpoint_request

CATALOG = load_catalog()


def test_defaults_of_the_file_are_those_of_the_planner() -> None:
    section = Checkpoints(framework=CheckpointFramework.DCP)
    assert checkpoint_request(section) == CheckpointRequest(framework="dcp")


def test_bytes_per_parameter_replaces_the_state_of_the_catalog() -> None:
    section = Checkpoints(framework=CheckpointFramework.DCP, parameters="2B", bytes_per_parameter=10.5)
    writers = Writers(instance_type="trn1.32xlarge", nodes=4, ranks_per_node=32, host_memory_gib=512)
    request = checkpoint_request(section)
    assert list(invalid_fields(request, writers, CATALOG)) == []
    assert build_spec(request, writers, bucket=None, catalog=CATALOG).size == 21e9


def test_the_interval_auto_is_the_same_as_no_interval() -> None:
    section = Checkpoints.model_validate({"framework": "dcp", "interval_minutes": "auto"})
    assert checkpoint_request(section) == CheckpointRequest(framework="dcp")


def test_frameworks_of_the_file_are_rows_of_the_catalog() -> None:
    assert {each.value for each in CheckpointFramework} == set(CATALOG.checkpoint_layouts.names)


def test_each_row_of_the_catalog_is_an_optimizer_with_a_precision_of_the_file() -> None:
    pairs = itertools.product(CheckpointOptimizer, CheckpointPrecision)
    assert set(CATALOG.checkpoint_states.names) <= {
        f"{optimizer.value}-{precision.value}" for optimizer, precision in pairs
    }


def test_commands_without_an_environment_compare_the_default_deployment_type() -> None:
    assert str(Lustre.model_fields["deployment_type"].default).upper() == DEPLOYMENT_TYPE
