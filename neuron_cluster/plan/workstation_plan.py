"""One workstation, completely decided."""

from __future__ import annotations

from msgspec import Struct

from neuron_cluster.config.source_map import KeyPath
from neuron_cluster.plan.machine_plan import MachinePlan

BY_PARAMETER = "resolve:ssm:"
"""Before the name of an SSM parameter, where an AMI id could stand: EC2 reads it at each launch."""
WORKSTATION_TAG = "neuron-cluster:workstation"
"""Key of the tag that names the workstation on its machine."""


class WorkstationPlan(Struct, frozen=True):
    """A single machine for people; everything but its home is disposable."""

    path: KeyPath
    name: str
    """The user's name; construct ids depend on it alone."""
    machine: MachinePlan
    zone_id: str
    dlami: str
    login_user: str
    virtual_environment: str | None
    """Folder in the image, activated at login; none when the image has none."""
    home: str | None
    """Name of the home that is mounted as the login user's home directory."""
    idle_stop_minutes: int
    """0: it never stops by itself."""
    team: str | None
    image_owner: str | None = None
    """Account that the file trusts as the owner of a pinned image, beside Amazon and its own."""

    @property
    def pinned_image(self) -> str | None:
        """The AMI id of the file; none where EC2 takes the newest image at each launch."""
        image = self.machine.image
        return None if image is None or image.startswith(BY_PARAMETER) else image
