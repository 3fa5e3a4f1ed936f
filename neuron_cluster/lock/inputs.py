"""The inputs of a lock: what must be resolved. The plan lists them; the lock resolver calls AWS and registries."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class AmiParameters(Struct, frozen=True):
    """The SSM parameters with the newest release of an AMI type."""

    release_version: str
    image_id: str


class ChartInput(Struct, frozen=True):
    """A chart whose digest is resolved. ``repository`` is ``oci://…/chart``, or the address of a chart repository."""

    name: str
    version: str
    repository: str
    remedy: str = ""
    """Hint for a chart that the repository does not have; empty for one that its authors publish."""


class ProviderLockInputs(Struct, frozen=True):
    """The inputs of one provider."""

    kubernetes_version: str | None = None
    ami_releases: Mapping[str, AmiParameters] = {}
    """Parameters of AMI releases, by AMI type."""
    addons: tuple[str, ...] = ()


class NetworkInput(Struct, frozen=True):
    """A VPC that exists. ``own_endpoints`` are services of endpoints that the environment itself creates in it."""

    vpc_id: str
    subnet_ids: tuple[str, ...]
    own_endpoints: tuple[str, ...]


class LockInputs(Struct, frozen=True):
    """Everything about one environment that only an account or a registry can return."""

    environment: str
    account: str
    region: str
    kubernetes_version: str | None
    """None without a cluster."""
    ami_releases: Mapping[str, AmiParameters]
    """Parameters of AMI releases, by AMI type."""
    dlamis: Mapping[str, str]
    """SSM parameter of the newest image id, by kind of DLAMI."""
    addons: tuple[str, ...]
    charts: tuple[ChartInput, ...]
    images: tuple[str, ...]
    """Repository and tag of each container image that the charts run."""
    storage_stack: str | None = None
    """The stack with a Lustre file system that may have a metadata configuration; None without one in the file."""
    network: NetworkInput | None = None
    """None for a VPC that the environment creates."""
    amis: tuple[str, ...] = ()
    """Ids of AMIs that no parameter returns: those of the file, and the one that `image build` has built."""
    permission_sets: tuple[str, ...] = ()
    """Names of permission sets of IAM Identity Center whose role gets access."""
