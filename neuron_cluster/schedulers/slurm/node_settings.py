"""``node.conf``: what the scripts of a node must know about it. Shell assignments in the folder of the scripts."""

from __future__ import annotations

import shlex

from msgspec import Struct

from neuron_cluster.catalog.instance_type import InstanceType

FILE = "node.conf"
SYSTEM_PATH = "/opt/aws/neuron/bin:/opt/amazon/efa/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Slurm gives prologs, epilogs and health checks no search path."""
EXPORTED = ("PATH", "SLURM_CONF")
"""Variables that scripts export to the commands that they run."""


class NodeSettings(Struct, frozen=True, kw_only=True):
    """Counts are those of the whole node."""

    slurm_commands: str
    """Folder of scontrol and squeue."""
    slurm_conf: str = ""
    """The file that they read; "" for the one that they are built with. A health check has no such variable."""
    devices: int
    """0: a node without Neuron devices, such as a login node."""
    cores_per_device: int
    """NeuronCores of a device at the logical NeuronCore configuration."""
    logical_nc_config: int | None
    """None leaves the default of the instance type."""
    efa_interfaces: int
    """EFA interfaces of the node; one with fewer is drained."""
    mounts: tuple[str, ...] = ()
    """Folders on which file systems are mounted."""
    compile_cache: str = ""
    """A folder, where ``~`` is the home of each user, or an ``s3://`` address; "" for the default of the compiler."""
    has_closed_metadata: bool = False
    """Whether root alone reaches the instance metadata service, so that jobs have no rights of the node's role."""
    minimum_free_mib: int = 1024
    """Of the root file system; a node with less is drained."""
    mount_wait_seconds: int = 240
    """How long a prolog waits for mounts: maintenance of FSx takes some minutes, and slurmd gives a prolog 420 s.

    Source: awslabs/awsome-distributed-ai@0646a5d, architectures/aws-pcs/docs/OPERATIONS.md, 6.1
    """
    state_folder: str = "/run/neuron-cluster"
    """What checks write for later ones; a reboot removes it."""
    device_folder: str = "/dev"
    """Folder of the device files."""
    sysfs: str = "/sys"
    """Where the kernel shows devices."""

    def text(self) -> str:
        """The content of ``node.conf``."""
        values: dict[str, str | int] = {
            "PATH": f"{self.slurm_commands}:{SYSTEM_PATH}",
            **({"SLURM_CONF": self.slurm_conf} if self.slurm_conf else {}),
            "NEURON_DEVICES": self.devices,
            "CORES_PER_DEVICE": self.cores_per_device,
            "LOGICAL_NC_CONFIG": self.logical_nc_config or "",
            "EFA_INTERFACES": self.efa_interfaces,
            "MOUNTS": " ".join(self.mounts),
            "COMPILE_CACHE": self.compile_cache,
            "CLOSED_METADATA": int(self.has_closed_metadata),
            "MINIMUM_FREE_MIB": self.minimum_free_mib,
            "MOUNT_WAIT_SECONDS": self.mount_wait_seconds,
            "STATE_FOLDER": self.state_folder,
            "DEVICE_FOLDER": self.device_folder,
            "SYSFS": self.sysfs,
        }
        return "".join(
            f"{'export ' if name in EXPORTED else ''}{name}={shlex.quote(str(value))}\n"
            for name, value in values.items()
        )


def node_settings(
    row: InstanceType,
    *,
    slurm_commands: str,
    logical_nc_config: int | None = None,
    efa_interfaces: int | None = None,
    mounts: tuple[str, ...] = (),
    compile_cache: str = "",
    has_closed_metadata: bool = False,
) -> NodeSettings:
    """The settings of an instance type at a logical NeuronCore configuration, None for the chip's default.

    ``efa_interfaces`` are those of the launch template, None for as many as the type can have: a node with fewer is
    drained.
    Raises ``ValueError`` for a configuration that the type does not have.
    """
    devices = row.neuron_devices or 0
    used = logical_nc_config or row.default_logical_nc_config
    cores = row.neuron_cores_at(used) if used is not None else row.neuron_cores
    if devices and cores is None:
        raise ValueError(f"{row.name} has no logical NeuronCore configuration {used}")
    return NodeSettings(
        slurm_commands=slurm_commands,
        devices=devices,
        cores_per_device=(cores or 0) // devices if devices else 0,
        logical_nc_config=logical_nc_config,
        efa_interfaces=(row.efa_interfaces or 0) if efa_interfaces is None else efa_interfaces,
        mounts=mounts,
        compile_cache=compile_cache,
        has_closed_metadata=has_closed_metadata,
    )
