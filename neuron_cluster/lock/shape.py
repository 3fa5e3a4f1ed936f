"""From the texts of a lock file to a lock: every key known, every value of its form."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from ipaddress import IPv4Network
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from neuron_cluster.config.permission_set import permission_set_of
from neuron_cluster.config.source_map import SourceMap
from neuron_cluster.findings.finding import Finding
from neuron_cluster.lock.forms import (
    ACCOUNT,
    CIDR,
    CIDRS,
    DIGEST,
    GIB,
    IMAGE,
    IMAGE_NAME,
    KUBERNETES,
    METADATA,
    NAME,
    RELEASE,
    ROUTE,
    SERVICES,
    SUBNET,
    VERSION,
    VPC,
    ZONE,
)
from neuron_cluster.lock.model import (
    Lock,
    LockedAmiRelease,
    LockedArtifact,
    LockedImage,
    LockedNetwork,
    LockedSubnet,
)
from neuron_cluster.lock.part import LockPart, lock_parts
from neuron_cluster.lock.tree import CHECKSUM, NOT_KNOWN, ROOT_VOLUME, LockPath

SECTIONS = (
    "ami_releases",
    "dlamis",
    "amis",
    "addons",
    "charts",
    "images",
    "storage",
    "network",
    "permission_sets",
)
NETWORK_KEYS = ("vpc_id", "cidrs", "endpoints", "subnets")
SUBNET_KEYS = ("availability_zone", "cidr", "route")
IDENTITY = ("format", "environment", "account", "region")
KEYS = (*IDENTITY, "kubernetes_version", *SECTIONS, CHECKSUM)


class LockShape(Struct):
    """Reads values and collects what is wrong with them."""

    source: SourceMap
    hint: str
    findings: list[Finding] = field(default_factory=list)

    def lock(self, tree: dict[str, Any]) -> Lock:
        """The lock; of no use when there are findings."""
        parts = lock_parts()
        self._keys(tree, (), (*KEYS, *(part.key for part in parts)), required=IDENTITY)
        kubernetes = tree.get("kubernetes_version")
        return Lock(
            environment=self._text(tree.get("environment"), ("environment",), *NAME),
            account=self._text(tree.get("account"), ("account",), *ACCOUNT),
            region=self._text(tree.get("region"), ("region",), *NAME),
            kubernetes_version=None
            if kubernetes is None and "kubernetes_version" not in tree
            else self._text(kubernetes, ("kubernetes_version",), *KUBERNETES),
            ami_releases={
                name: LockedAmiRelease(
                    self._text(row.get("release_version"), ("ami_releases", name, "release_version"), *RELEASE),
                    self._text(row.get("image_id"), ("ami_releases", name, "image_id"), *IMAGE),
                )
                for name, row in self._rows(tree, "ami_releases", ("release_version", "image_id"))
            },
            dlamis={
                name: self._dlami(row, ("dlamis", name))
                for name, row in self._rows(tree, "dlamis", ("image_id", "name", "neuron_sdk", ROOT_VOLUME))
            },
            amis={
                self._text(name, ("amis", name), *IMAGE): self._gib(row, ("amis", name))
                for name, row in self._rows(tree, "amis", (ROOT_VOLUME,))
            },
            addons={
                name: self._text(value, ("addons", name), *VERSION) for name, value in self._section(tree, "addons")
            },
            charts={
                name: LockedArtifact(
                    self._text(row.get("version"), ("charts", name, "version"), *VERSION),
                    self._digest(row.get("digest"), ("charts", name, "digest")),
                )
                for name, row in self._rows(tree, "charts", ("version", "digest"))
            },
            images={name: self._digest(value, ("images", name)) for name, value in self._section(tree, "images")},
            lustre_metadata=self._lustre_metadata(tree),
            network=self._network(tree),
            permission_sets={
                name: self._permission_set(name, value) for name, value in self._section(tree, "permission_sets")
            },
            parts={part.key: self._part(part, tree[part.key]) for part in parts if part.key in tree},
        )

    def _permission_set(self, name: str, value: Any) -> str:
        """The ARN of its role: one of another permission set would give its people access."""
        what = f"the ARN of a role of the permission set {ascii(name)[1:-1][:40]}"
        arn = self._text(value, ("permission_sets", name), r"[ -~]{1,600}", what)
        if arn and permission_set_of(arn) != name:
            self._wrong(("permission_sets", name), f"{ascii(arn)[:200]} where {what} is expected")
        return arn

    def _lustre_metadata(self, tree: dict[str, Any]) -> str | None:
        if "storage" not in tree:
            return None
        storage, key = self._mapping(tree["storage"], ("storage",)), "lustre_metadata"
        self._keys(storage, ("storage",), (key,), required=(key,))
        return self._text(storage.get(key), ("storage", key), *METADATA)

    def _network(self, tree: dict[str, Any]) -> LockedNetwork | None:
        if "network" not in tree:
            return None
        network, path = self._mapping(tree["network"], ("network",)), ("network",)
        self._keys(network, path, NETWORK_KEYS, required=NETWORK_KEYS)
        subnets = self._mapping(network.get("subnets"), (*path, "subnets"))
        return LockedNetwork(
            vpc_id=self._text(network.get("vpc_id"), (*path, "vpc_id"), *VPC),
            cidrs=self._addresses(network.get("cidrs"), (*path, "cidrs"), CIDRS),
            endpoints=tuple(self._text(network.get("endpoints"), (*path, "endpoints"), *SERVICES).split()),
            subnets={
                self._text(name, (*path, "subnets", name), *SUBNET): self._subnet(row, (*path, "subnets", name))
                for name, row in subnets.items()
            },
        )

    def _part(self, part: LockPart, value: Any) -> Mapping[str, str]:
        row = self._mapping(value, (part.key,))
        self._keys(row, (part.key,), part.forms, required=tuple(part.forms))
        return {key: self._text(row.get(key), (part.key, key), *form) for key, form in part.forms.items()}

    def _subnet(self, value: Any, path: LockPath) -> LockedSubnet:
        row = self._mapping(value, path)
        self._keys(row, path, SUBNET_KEYS, required=SUBNET_KEYS)
        return LockedSubnet(
            self._text(row.get("availability_zone"), (*path, "availability_zone"), *ZONE),
            " ".join(self._addresses(row.get("cidr"), (*path, "cidr"), CIDR)),
            self._text(row.get("route"), (*path, "route"), *ROUTE),
        )

    def _dlami(self, row: dict[str, Any], path: LockPath) -> LockedImage:
        return LockedImage(
            image_id=self._text(row.get("image_id"), (*path, "image_id"), *IMAGE),
            name=self._text(row["name"], (*path, "name"), *IMAGE_NAME) if "name" in row else None,
            neuron_sdk=self._text(row["neuron_sdk"], (*path, "neuron_sdk"), *VERSION) if "neuron_sdk" in row else None,
            root_volume_gib=self._gib(row, path) if ROOT_VOLUME in row else None,
        )

    def _gib(self, row: dict[str, Any], path: LockPath) -> int:
        return int(self._text(row.get(ROOT_VOLUME), (*path, ROOT_VOLUME), *GIB) or 0)

    def _section(self, tree: dict[str, Any], name: str) -> list[tuple[str, Any]]:
        return list(self._mapping(tree.get(name, {}), (name,)).items())

    def _rows(self, tree: dict[str, Any], section: str, keys: Collection[str]) -> list[tuple[str, dict[str, Any]]]:
        rows = [(name, self._mapping(value, (section, name))) for name, value in self._section(tree, section)]
        for name, row in rows:
            self._keys(row, (section, name), keys, required=())
        return rows

    def _keys(self, tree: dict[str, Any], path: LockPath, known: Collection[str], *, required: Collection[str]) -> None:
        for key in tree.keys() - set(known):
            self._wrong((*path, key), f"the key {ascii(key)[:80]} is not in the lock format")
        for key in [key for key in required if key not in tree]:
            self._wrong(path, f"the key {key} is missing")

    def _mapping(self, value: Any, path: LockPath) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        self._wrong(path, "is empty, where a mapping is expected")
        return {}

    def _digest(self, value: Any, path: LockPath) -> str | None:
        text = self._text(value, path, *DIGEST)
        return None if text == NOT_KNOWN else text

    def _addresses(self, value: Any, path: LockPath, form: tuple[str, str]) -> tuple[str, ...]:
        """Address ranges; a pattern cannot see octets and host bits that no network has."""
        found = tuple(self._text(value, path, *form).split())
        for each in found:
            try:
                IPv4Network(each)
            except ValueError as error:
                self._wrong(path, f"{each} is not an IPv4 network: {error}")
        return found

    def _text(self, value: Any, path: LockPath, pattern: str, what: str) -> str:
        if isinstance(value, str) and re.fullmatch(pattern, value):
            return value
        found = ascii(value)[:80] if isinstance(value, str) else "a value that is not text"
        self._wrong(path, f"{found} where {what} is expected")
        return ""

    def _wrong(self, path: LockPath, message: str) -> None:
        place = self.source.locate(path)
        shown = "".join(character if character.isprintable() else "?" for character in place.path)
        self.findings.append(Finding("E9107", replace(place, path=shown), message, self.hint))
