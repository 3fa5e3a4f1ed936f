"""The values that a lock file pins. Synthesis reads it and makes no calls: the same lock gives the same templates."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field


class LockedAmiRelease(Struct, frozen=True):
    """The AMI of one AMI type, for the Kubernetes version of the lock."""

    release_version: str
    """Such as ``1.35.6-20260714``. Node groups are made with it."""
    image_id: str
    """The image behind it in the Region, for people: the service chooses it by the release."""


class LockedImage(Struct, frozen=True):
    """The Deep Learning AMI of one kind, in the Region of the lock. A lock of an earlier release has its id alone."""

    image_id: str
    name: str | None = None
    """As EC2 has it."""
    neuron_sdk: str | None = None
    """The release on the date in its name (``Dlami.release_in``)."""
    root_volume_gib: int | None = None
    """The least that a root volume may have: the size of its root snapshot."""


class LockedArtifact(Struct, frozen=True):
    """A chart. ``digest`` is None where the registry lookup failed."""

    version: str
    digest: str | None


class LockedSubnet(Struct, frozen=True):
    """A subnet of an existing VPC."""

    availability_zone: str
    """Zone id."""
    cidr: str
    route: str
    """Target of its default route: ``nat``, ``internet_gateway``, ``other``, or ``none`` without one."""


class LockedNetwork(Struct, frozen=True):
    """An existing VPC."""

    vpc_id: str
    cidrs: tuple[str, ...]
    """Its IPv4 ranges, the primary one first."""
    endpoints: tuple[str, ...]
    """Services of its endpoints without prefix, sorted: ``ecr.api``."""
    subnets: Mapping[str, LockedSubnet]
    """The subnets that the environment uses, by id."""


class Lock(Struct, frozen=True):
    """The values that one account and Region returned for one environment."""

    environment: str
    account: str
    region: str
    kubernetes_version: str | None
    """Version of the cluster that AMI releases and add-on versions are for; None without a cluster."""
    ami_releases: Mapping[str, LockedAmiRelease] = field(default_factory=dict)
    """AMI releases by AMI type."""
    dlamis: Mapping[str, LockedImage] = field(default_factory=dict)
    """Images by kind of DLAMI, as the environment file names it."""
    amis: Mapping[str, int] = field(default_factory=dict)
    """GiB of the root snapshot of each other AMI that the file or the lock names, by its id."""
    addons: Mapping[str, str] = field(default_factory=dict)
    """Version of each managed add-on, by the name that the service uses."""
    charts: Mapping[str, LockedArtifact] = field(default_factory=dict)
    """Charts by name."""
    images: Mapping[str, str | None] = field(default_factory=dict)
    """Digest of each container image of the charts, by repository and tag; None where the lookup failed."""
    lustre_metadata: str | None = None
    """``automatic`` or ``none``: what the deployed Lustre file system was created with. None: not recorded."""
    network: LockedNetwork | None = None
    """The VPC of ``network.existing``; None where the environment has its own."""
    permission_sets: Mapping[str, str] = field(default_factory=dict)
    """ARN of the IAM role of each permission set of teams, by its name."""
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Parts of providers (``lock.part``), by key; `neuron-cluster lock` keeps them."""

    def dlami_id(self, kind: str) -> str | None:
        """AMI id of a kind of DLAMI; None where it is not pinned."""
        return row.image_id if (row := self.dlamis.get(kind)) is not None else None

    def root_volume_gib(self, image_id: str) -> int | None:
        """Size of the root snapshot of an AMI; None where it was not recorded."""
        of_dlamis = (row.root_volume_gib for row in self.dlamis.values() if row.image_id == image_id)
        return self.amis.get(image_id) or next(of_dlamis, None)

    @property
    def pins_software(self) -> bool:
        """False for a lock that `deploy` wrote only to record what the deployed file system has."""
        software = (self.ami_releases, self.dlamis, self.addons, self.charts, self.images)
        pinned = (*software, self.network, self.permission_sets, self.parts)
        return self.lustre_metadata is None or self.kubernetes_version is not None or any(pinned)
