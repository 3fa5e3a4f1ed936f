"""The start of a node: files, packages, mounts and users."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.lustre_client import ClientPackage
from neuron_cluster.schedulers.slurm.node_settings import NodeSettings


class PosixUser(Struct, frozen=True):
    """A user of all nodes; its group has the same name and id."""

    name: str
    """Begins with ``team-``."""
    uid: int
    """The same on every node."""
    home: str
    """Its home directory."""


class NodeStartPlan(Struct, frozen=True, kw_only=True):
    """The parts of the script that sets up the nodes of a group."""

    node: NodeSettings
    """What the scripts that Slurm runs read."""
    image_user: str | None = None
    """The first user of the AMI, who may become root; None where the catalog does not have the AMI."""
    lnc_shell: str | None = None
    """Sets the LNC of the instance; None where it is the default of the instance type."""
    has_lustre: bool = False
    """Whether it mounts the Lustre file system."""
    lustre_package: ClientPackage | None = None
    """None where the AMI has to have the client: the catalog knows no package for its operating system."""
    access_points: tuple[str, ...] = ()
    """Names of those of EFS, in the order of the file."""
    efs_package: str | None = None
    """None where the AMI has to have the mount helper."""
    has_bucket: bool = False
    """Whether ``node`` names the checkpoint bucket."""
    users: tuple[PosixUser, ...] = ()
    """One for each team."""

    @property
    def single_arguments(self) -> tuple[str, ...]:
        """Variables whose values only a stack has; the ids of access points follow them."""
        given = {"LUSTRE": self.has_lustre, "BUCKET": self.has_bucket, "EFS": bool(self.access_points)}
        return tuple(name for name, is_given in given.items() if is_given)
