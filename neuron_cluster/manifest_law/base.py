"""What a manifest law is: one file, one class, one thing that Kubernetes refuses late or this toolkit does not allow.

Laws are found by their place in this folder; nothing registers them. ``tests/fixtures/manifests/<id>.yaml`` holds
what each one catches, the edits that its hint asks for, and what it lets pass.
"""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import ClassVar

from neuron_cluster.manifest_law.manifest_object import ManifestObject
from neuron_cluster.manifest_law.pod_template import PodTemplate
from neuron_cluster.manifest_law.render import Render
from neuron_cluster.template_law.base import Refusal
from neuron_cluster.threads import CitesThreads


class ManifestLaw(CitesThreads, abc.ABC):
    """Judges one object, with the others of its release at hand."""

    id: ClassVar[str]
    """``E88`` and two digits."""
    source: ClassVar[str]
    """Where the fact behind the law can be read."""
    kinds: ClassVar[tuple[str, ...]] = ()
    """Kinds that it judges; empty for every kind."""

    @abc.abstractmethod
    def check(self, judged: ManifestObject, render: Render) -> Iterator[Refusal]: ...


class PodLaw(ManifestLaw):
    """Judges every pod template, in whatever kind it stands."""

    def check(self, judged: ManifestObject, render: Render) -> Iterator[Refusal]:
        for template in render.templates_of(judged):
            yield from self.check_pod(template, render)

    @abc.abstractmethod
    def check_pod(self, template: PodTemplate, render: Render) -> Iterator[Refusal]: ...
