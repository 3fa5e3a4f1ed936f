"""One workstation, completely decided."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.catalog.lustre_client import ClientPackage
from neuron_cluster.plan.compute_group_plan import ComputeGroupPlan

WORKSTATION_TAG = "neuron-cluster:workstation"
"""Key of the tag that names the workstation on its instance."""


class WorkstationCachePlan(Struct, frozen=True):
    """The commands that give the instance the compile cache of the environment."""

    commands: tuple[str, ...]
    """With the placeholder of the bucket's name."""


class WorkstationEfsPlan(Struct, frozen=True):
    """What the instance mounts of the EFS file system."""

    access_points: tuple[str, ...]
    """Their names."""
    package: str
    """Of the mount helper."""


class WorkstationLustrePlan(Struct, frozen=True):
    """How the instance mounts the Lustre file system of the environment."""

    package: ClientPackage
    folders: tuple[str, ...]
    """All show the root of the file system."""


class WorkstationPlan(ComputeGroupPlan, frozen=True, kw_only=True):
    """A single instance for people; everything but its home is disposable."""

    noun = "workstation"

    login_user: str
    virtual_environment: str | None
    """Folder in the image, activated at login; none when the image has none."""
    home: str | None
    """Name of the home that is mounted as the login user's home directory."""
    idle_stop_minutes: int
    """0: it never stops by itself."""
    image_owner: str | None = None
    """Account that the file trusts as the owner of a pinned image, beside Amazon and its own."""

    compile_cache: WorkstationCachePlan | None = None
    """None without a cache, and on an instance without Neuron devices."""
    efs: WorkstationEfsPlan | None = None
    """None without an access point, and where the operating system has no mount helper."""
    lustre: WorkstationLustrePlan | None = None
    """None where the instance does not mount the file system."""

    @property
    def zone_id(self) -> str:
        """Availability Zone id of the instance."""
        return self.zone_ids[0]

    @property
    def dlami(self) -> str:
        """Name of its kind of Deep Learning AMI in the catalog."""
        return self.image.family

    @property
    def pinned_image(self) -> str | None:
        """The AMI id of the file; none where EC2 uses the newest image at each launch."""
        return self.image.pinned
