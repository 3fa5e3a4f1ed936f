"""The section of the environment file with a Kubernetes cluster, as rules read it, whichever provider runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

from msgspec import Struct

from neuron_cluster.config.section_keys import has_keys_of
from neuron_cluster.config.sections import sections
from neuron_cluster.config.source_map import KeyPath, format_path

if TYPE_CHECKING:
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.namespace import Namespace


class SectionAddons(Protocol):
    """Software of the cluster."""

    @property
    def flags(self) -> Mapping[str, bool | None]:
        """A flag for every component, by its name, in the order of the model; None where the default decides."""
        ...


class KubernetesSection(Protocol):
    """The model of a section. Each provider of a control plane has one with these keys.

    Its list of node groups has the key ``node_groups``; rules read the groups with their defaults (``node_group.py``).
    """

    @property
    def model_fields_set(self) -> AbstractSet[str]:
        """The keys that the file has."""
        ...

    @property
    def version(self) -> str: ...

    @property
    def namespaces(self) -> Sequence[Namespace]: ...

    @property
    def addons(self) -> SectionAddons: ...

    @property
    def installed_otherwise(self) -> Sequence[str]:
        """Components that the user installs."""
        ...

    @property
    def chart_values(self) -> Mapping[str, Mapping[str, Any]]:
        """Helm values by the name of the chart."""
        ...


class KubernetesInFile(Struct, frozen=True):
    """A section and its place in the file."""

    path: KeyPath
    section: KubernetesSection

    def key(self, *parts: str) -> str:
        """Returns the dotted name of a key of the section."""
        return format_path((*self.path, *parts))

    def flag(self, component: str) -> bool | None:
        """Returns the flag of a component as the file gives it; None where the default decides."""
        return self.section.addons.flags[component]


def kubernetes_in(config: EnvironmentConfig) -> KubernetesInFile | None:
    """Returns the cluster of a file, which has one at most."""
    for key in (spec.key for spec in sections()):
        section: object = getattr(config, key, None)
        if _has_cluster(section):
            return KubernetesInFile((key,), section)
    return None


def _has_cluster(section: Any) -> TypeGuard[KubernetesSection]:
    return has_keys_of(section, KubernetesSection)
