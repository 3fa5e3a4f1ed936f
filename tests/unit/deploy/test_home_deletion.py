"""Output and required options of `destroy --home` before it queries anything."""

from __future__ import annotations

import pytest

from neuron_cluster.aws.ec2 import Volume
from neuron_cluster.deploy.home_deletion import HomeDeletion, require_data_named
from neuron_cluster.errors import ToolkitError


def test_a_home_needs_the_name_of_the_environment() -> None:
    require_data_named(None, None)
    require_data_named("alice", "lab")
    with pytest.raises(ToolkitError, match="--delete-data is missing; nothing was changed") as error:
        require_data_named("alice", None)
    assert "--delete-data with the name" in error.value.hint


def test_a_deletion_names_the_volume_with_its_size_or_that_it_is_gone() -> None:
    volume = Volume("vol-1", "lab-storage home alice", 1200, "usw2-az1", "available", is_encrypted=True)
    assert HomeDeletion("alice", "lab-storage", volume).description == "volume vol-1 (1,200 GiB) of the home alice"
    assert "was deleted before" in HomeDeletion("alice", "lab-storage", None).description
