"""Container images without a digest or a fixed tag."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.kubernetes.pod_templates import PodTemplate
from neuron_cluster.kubernetes.release import Release
from neuron_cluster.manifest_rules.base import PodRule
from neuron_cluster.template_rules.base import Violation

HINT = (
    "write NAME:TAG with a tag that is not latest, or NAME@sha256:DIGEST; in values of most charts these are image.tag "
    "and image.digest"
)


class ImageNotPinned(PodRule):
    """A container image has a digest, or a tag other than ``latest`` (`image`)."""

    id = "E8823"
    source = "https://kubernetes.io/docs/concepts/containers/images/#image-names (no tag means latest)"

    def check_pod(self, template: PodTemplate, release: Release) -> Iterator[Violation]:
        del release
        for container in template.containers:
            image = str(container.body.get("image") or "")
            name, _, digest = image.partition("@")
            tag = name.rpartition("/")[2].partition(":")[2]
            if not image or (not digest and tag in ("", "latest")) or name.endswith(":"):
                yield Violation(
                    f"{container.path}.image",
                    f"{image!r} is not pinned: a digest or a tag other than latest is required",
                    HINT,
                )
