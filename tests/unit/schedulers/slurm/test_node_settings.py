"""The file node.conf, as bash reads it."""

from __future__ import annotations

import subprocess

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.slurm.node_settings import NodeSettings, node_settings

CATALOG = load_catalog()

COMMANDS = "/opt/slurm/bin"


def read_by_bash(settings: NodeSettings, *names: str) -> list[str]:
    shown = "\n".join(f'echo "${{{name}-unset}}"' for name in names)
    ran = subprocess.run(["bash", "-u"], input=settings.text() + shown, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


@pytest.mark.parametrize(
    ("name", "logical_nc_config", "devices", "cores_per_device", "interfaces"),
    [
        ("trn2.48xlarge", None, "16", "4", "16"),
        ("trn2.48xlarge", 1, "16", "8", "16"),
        ("trn1.32xlarge", None, "16", "2", "8"),
        ("inf2.xlarge", None, "1", "2", "0"),
        ("m7i.large", None, "0", "0", "0"),
    ],
)
def test_counts_of_an_instance_type(
    name: str, logical_nc_config: int | None, devices: str, cores_per_device: str, interfaces: str
) -> None:
    settings = node_settings(CATALOG.instance_types[name], slurm_commands=COMMANDS, logical_nc_config=logical_nc_config)
    names = ("NEURON_DEVICES", "CORES_PER_DEVICE", "EFA_INTERFACES", "LOGICAL_NC_CONFIG", "SLURM_CONF")
    lnc = "" if logical_nc_config is None else str(logical_nc_config)
    assert read_by_bash(settings, *names) == [devices, cores_per_device, interfaces, lnc, "unset"]


def test_a_launch_template_without_efa_needs_no_interface() -> None:
    settings = node_settings(CATALOG.instance_types["trn1.32xlarge"], slurm_commands=COMMANDS, efa_interfaces=0)
    assert read_by_bash(settings, "EFA_INTERFACES") == ["0"]


def test_values_with_spaces_and_dollars_stay_as_they_are() -> None:
    settings = node_settings(
        CATALOG.instance_types["trn1.2xlarge"],
        slurm_commands=COMMANDS,
        mounts=("/fsx", "/home"),
        compile_cache="s3://b/$x",
    )
    assert read_by_bash(settings, "MOUNTS", "COMPILE_CACHE") == ["/fsx /home", "s3://b/$x"]


def test_commands_of_slurm_come_before_those_of_the_system() -> None:
    settings = node_settings(CATALOG.instance_types["trn1.2xlarge"], slurm_commands=COMMANDS)
    path = read_by_bash(settings, "PATH")[0].split(":")
    assert path[0] == COMMANDS
    assert "/usr/bin" in path


def test_a_configuration_that_the_chip_lacks_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"trn1\.2xlarge has no logical NeuronCore configuration 2"):
        node_settings(CATALOG.instance_types["trn1.2xlarge"], slurm_commands=COMMANDS, logical_nc_config=2)
