"""Plans of workstations: image, login, interface, volume, stacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.machine_plan import SecurityGroupRole

PLAIN = {"name": "bob", "instance_type": "inf2.xlarge", "dlami": "base_amazon_linux_2023"}


def test_everything_that_is_not_asked_for_comes_from_the_image_and_the_network(plan_of: Callable[..., Any]) -> None:
    plan = plan_of("workstation", {"workstations": [PLAIN], "network.availability_zones": ["usw2-az3", "usw2-az1"]})
    (bob,) = plan.workstations
    row = load_catalog().dlamis.get("base_amazon_linux_2023")
    assert row is not None
    assert (bob.zone_id, bob.login_user, bob.virtual_environment) == ("usw2-az3", "ec2-user", None)
    assert bob.machine.root_volume.device_name == row.root_device_name
    assert bob.machine.root_volume.size_gib == row.root_volume_gib
    assert bob.image.image == f"resolve:ssm:{row.ssm_parameter}"
    assert (bob.idle_stop_minutes, bob.home, bob.pinned_image) == (60, None, None)


@pytest.mark.parametrize("instance_type", ["inf2.48xlarge", "trn1.32xlarge"])
def test_one_box_has_one_plain_interface_even_where_the_type_has_efa(
    instance_type: str, plan_of: Callable[..., Any]
) -> None:
    (bob,) = plan_of("workstation", {"workstations": [PLAIN | {"instance_type": instance_type}]}).workstations
    (interface,) = bob.machine.interfaces
    assert (interface.interface_type, interface.groups) == ("interface", (SecurityGroupRole.WORKSTATION,))
    assert bob.machine.placement_strategy is None


def test_the_first_virtual_environment_is_active_unless_the_file_sets_another(
    plan_of: Callable[..., Any],
) -> None:
    row = load_catalog().dlamis.get("multi_framework_ubuntu_24_04")
    assert row is not None
    first, second = row.virtual_environments.items()
    of_trn2 = {"workstations.0.instance_type": "trn2.3xlarge", "workstations.0.root_volume.size_gib": 512}
    for asked, folder in ((None, first[1]), (second[0], second[1])):
        (alice,) = plan_of("workstation", of_trn2 | {"workstations.0.virtual_environment": asked}).workstations
        assert alice.virtual_environment == folder


def test_a_stack_of_workstations_comes_last_and_only_where_there_are_any(plan_of: Callable[..., Any]) -> None:
    assert plan_of("workstation").stacks == ("network", "storage", "workstations")
    assert plan_of("workstation", {"workstations": None}).stacks == ("network", "storage")
