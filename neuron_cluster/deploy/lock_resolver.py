"""Asking an account, and the registries, what a lock pins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from neuron_cluster.aws.images import images_by_id
from neuron_cluster.aws.session import Target
from neuron_cluster.aws.ssm import parameter
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.deploy.deployed_metadata import deployed_metadata
from neuron_cluster.deploy.locked_network import locked_network
from neuron_cluster.deploy.locked_permission_sets import locked_permission_sets
from neuron_cluster.errors import ToolkitError
from neuron_cluster.lock.inputs import ChartInput, LockInputs, NetworkInput
from neuron_cluster.lock.model import Lock, LockedAmiRelease, LockedArtifact, LockedImage, LockedNetwork
from neuron_cluster.lock.tree import LUSTRE_METADATA, ROOT_VOLUME, LockPath
from neuron_cluster.protocol.operations import AddonVersions
from neuron_cluster.protocol.registry import registered_operations
from neuron_cluster.registry.registries import Registries
from neuron_cluster.registry.web import RegistryError

NOT_QUERIED = "its registry was not queried"
LOOKUP_FAILED = "registry lookup failed"
DESCRIBED = "ec2:DescribeImages"


class UnresolvedDigest(Struct, frozen=True):
    """A digest that no registry returned. ``hint`` is empty where another registry or network may answer."""

    message: str
    hint: str = ""


@dataclass
class ResolvedLockInputs:
    """A lock, the source of each entry, and why digests are missing."""

    lock: Lock
    sources: dict[LockPath, str]
    unresolved: tuple[UnresolvedDigest, ...]


@dataclass
class LockResolver:
    """Resolves the inputs of a lock. ``registries`` is None where they are not queried."""

    target: Target
    registries: Registries | None
    progress: Callable[[str], None]
    _sources: dict[LockPath, str] = field(default_factory=dict)
    _missing: list[str] = field(default_factory=list)
    _unresolved: list[UnresolvedDigest] = field(default_factory=list)

    def resolve(self, inputs: LockInputs) -> ResolvedLockInputs:
        """Raises ``ToolkitError`` when a call to AWS fails, or does not return what is needed."""
        for line in _what(inputs, with_digests=self.registries is not None):
            self.progress(line)
        lock = Lock(
            environment=inputs.environment,
            account=inputs.account,
            region=inputs.region,
            kubernetes_version=inputs.kubernetes_version,
            ami_releases={
                name: LockedAmiRelease(
                    self._parameter(("ami_releases", name, "release_version"), parameter.release_version),
                    self._parameter(("ami_releases", name, "image_id"), parameter.image_id),
                )
                for name, parameter in inputs.ami_releases.items()
            },
            dlamis={name: self._dlami(name, parameter) for name, parameter in inputs.dlamis.items()},
            amis=self._amis(inputs.amis),
            addons={name: self._addon(name, inputs.kubernetes_version or "") for name in inputs.addons},
            charts={chart.name: LockedArtifact(chart.version, self._chart(chart)) for chart in inputs.charts},
            images={image: self._image(image) for image in inputs.images},
            lustre_metadata=self._lustre_metadata(inputs.storage_stack),
            network=self._network(inputs.network) if inputs.network is not None else None,
            permission_sets=self._permission_sets(inputs),
        )
        self._require_all(inputs)
        return ResolvedLockInputs(lock, self._sources, tuple(self._unresolved))

    def _parameter(self, path: LockPath, name: str) -> str:
        value = parameter(self.target, name)
        if value is None:
            self._missing.append(f"SSM has no parameter {name}")
        self._sources[path] = f"SSM parameter {name}"
        return value or ""

    def _dlami(self, kind: str, parameter: str) -> LockedImage:
        """With its name and the size of its root snapshot where EC2 describes the image."""
        image_id = self._parameter(("dlamis", kind, "image_id"), parameter)
        image = images_by_id(self.target, [image_id]).get(image_id) if image_id else None
        row = load_catalog().dlamis.get(kind)
        if image is None or not image.name or row is None:
            return LockedImage(image_id)
        self._sources["dlamis", kind, "name"] = self._sources["dlamis", kind, ROOT_VOLUME] = DESCRIBED
        self._sources["dlamis", kind, "neuron_sdk"] = (
            "the date in the name, by the catalog of this release of the toolkit"
        )
        return LockedImage(
            image_id, image.name, row.release_in(image.name, load_catalog().neuron_sdks), image.root_volume_gib
        )

    def _amis(self, ids: Sequence[str]) -> dict[str, int]:
        """Root snapshots of those that EC2 describes to this account; `deploy` reports the others."""
        found = images_by_id(self.target, ids)
        self._sources |= {("amis", image_id, ROOT_VOLUME): DESCRIBED for image_id in found}
        return {name: image.root_volume_gib for name, image in found.items() if image.root_volume_gib is not None}

    def _addon(self, name: str, kubernetes_version: str) -> str:
        versions = _addon_versions()
        version = versions.default(self.target, name, kubernetes_version)
        if version is None:
            lacks = f"{versions.service} returned no default version of {name}"
            self._missing.append(f"{lacks} for Kubernetes {kubernetes_version}")
        self._sources["addons", name] = f"{versions.operation}, the default for Kubernetes {kubernetes_version}"
        return version or ""

    def _network(self, wanted: NetworkInput) -> LockedNetwork:
        self._sources["network", "vpc_id"] = "ec2:DescribeVpcs and ec2:DescribeVpcEndpoints"
        self._sources["network", "subnets"] = "ec2:DescribeSubnets and ec2:DescribeRouteTables"
        locked, missing = locked_network(self.target, wanted)
        self._missing += missing
        return locked

    def _permission_sets(self, inputs: LockInputs) -> Mapping[str, str]:
        for name in inputs.permission_sets:
            self._sources["permission_sets", name] = "iam:ListRoles, the role that IAM Identity Center created"
        if not inputs.permission_sets:
            return {}
        return locked_permission_sets(self.target, inputs.account, inputs.permission_sets)

    def _lustre_metadata(self, storage_stack: str | None) -> str | None:
        self._sources[LUSTRE_METADATA] = "fsx:DescribeFileSystems, of the deployed file system"
        return deployed_metadata(self.target, storage_stack) if storage_stack is not None else None

    def _chart(self, chart: ChartInput) -> str | None:
        self._sources["charts", chart.name, "version"] = "the catalog of this release of the toolkit"

        def ask(registries: Registries) -> str:
            return registries.chart_digest(chart.repository, chart.name, chart.version)

        what = f"{chart.name} {chart.version}"
        return self._digest(("charts", chart.name, "digest"), what, chart.repository, ask, chart.remedy)

    def _image(self, reference: str) -> str | None:
        def ask(registries: Registries) -> str:
            return registries.image_digest(reference)

        return self._digest(("images", reference), reference, "the manifest of this tag", ask)

    def _digest(
        self, path: LockPath, what: str, source: str, ask: Callable[[Registries], str], remedy: str = ""
    ) -> str | None:
        """The digest; None when the registry lookup fails, which does not end the command.

        ``remedy`` is for a registry that responds and has no such thing.
        """
        self._sources[path] = source
        if self.registries is None:
            self._sources[path] += f"; {NOT_QUERIED}"
            return None
        try:
            return ask(self.registries)
        except ToolkitError as error:
            self._sources[path] += f"; {LOOKUP_FAILED}"
            message = f"the digest of {what} is not known: {error.message}"
            is_missing = isinstance(error, RegistryError) and error.is_missing
            self._unresolved.append(UnresolvedDigest(message, remedy if is_missing else ""))
            return None

    def _require_all(self, inputs: LockInputs) -> None:
        if self._missing:
            hint = "correct region, or remove what AWS does not offer there from the file; nothing was written"
            raise ToolkitError(f"in {inputs.region}: {'; '.join(self._missing)}", hint=hint)


def _addon_versions() -> AddonVersions:
    """Returns that of the provider with managed add-ons. Raises ``StopIteration``: no plan has add-ons without one."""
    return next(found for each in registered_operations() if (found := each.addon_versions) is not None)


def _what(inputs: LockInputs, *, with_digests: bool) -> Iterator[str]:
    if inputs.network is not None:
        yield f"Querying EC2 for {inputs.network.vpc_id} and {len(inputs.network.subnet_ids)} of its subnets."
    if inputs.permission_sets:
        yield f"Querying IAM for the roles of {len(inputs.permission_sets)} permission sets."
    kinds = [*inputs.ami_releases, *inputs.dlamis]
    if kinds:
        yield f"Querying SSM for the AMIs {', '.join(kinds)}."
    if inputs.addons:
        service = _addon_versions().service
        yield f"Querying {service} for the default versions of {len(inputs.addons)} add-ons."
    if with_digests and (inputs.charts or inputs.images):
        yield f"Querying registries for digests of {len(inputs.charts)} charts and {len(inputs.images)} images."
