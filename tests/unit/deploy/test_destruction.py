"""Lines of a destroy about kept stacks agree with the data in them."""

from __future__ import annotations

import pytest

from neuron_cluster.aws.backup import Vault
from neuron_cluster.aws.cloudformation import Stack
from neuron_cluster.aws.ec2 import Volume
from neuron_cluster.aws.fsx import FileSystem
from neuron_cluster.deploy.data_deletion import Data, require_deletable
from neuron_cluster.deploy.destination import aws_destination
from neuron_cluster.deploy.destruction import Destruction, destruction_lines
from neuron_cluster.errors import ToolkitError
from neuron_cluster.plan.cluster_plan import ClusterPlan

LUSTRE = Data(("checkpoints",), (FileSystem("fs-1", "AVAILABLE", 4800, "PERSISTENT_2", 500, "key"),), ("key",))
HOME = Data((), (), ("key",), (Volume("vol-1", "alice", 200, "usw2-az1", "available", is_encrypted=True),))
BUCKET = Data(("checkpoints",), (), ("key",))


def network_line(plan: ClusterPlan, data: Data) -> str:
    """Returns the line about the network."""
    keeps = tuple(Stack(name, name, "CREATE_COMPLETE", "", is_protected=True) for name in ("n-network", "n-storage"))
    destruction = Destruction(plan=plan, deletes=(), keeps=keeps, data=data, with_data=False)
    lines = destruction_lines(destruction, aws_destination("111122223333", "us-west-2"), "destroy n")
    (line,) = [each for each in lines if each.startswith(f"Keeping {plan.name}-network")]
    return line


def test_a_file_system_keeps_the_network_by_its_interfaces(training: ClusterPlan) -> None:
    assert "interfaces in its subnets" in network_line(training, LUSTRE)


@pytest.mark.parametrize("data", [HOME, BUCKET], ids=["home", "bucket"])
def test_other_data_has_no_interfaces_in_the_network(data: Data, training: ClusterPlan) -> None:
    line = network_line(training, data)
    assert "interfaces" not in line
    assert "requires it" not in line
    assert "retained with the data" in line


def test_recovery_points_that_a_lock_protects_cannot_be_deleted_and_others_can() -> None:
    locked = Data(("checkpoints",), (), ("key",), vaults=(Vault("v", 3, is_locked=True),))
    with pytest.raises(ToolkitError, match="the vault v has 3 recovery points, which its vault lock protects") as error:
        require_deletable(locked)
    assert "delete-backup-vault-lock-configuration --backup-vault-name v" in error.value.hint
    for vault in (Vault("v", 0, is_locked=True), Vault("v", 3, is_locked=False)):
        require_deletable(Data((), (), (), vaults=(vault,)))
