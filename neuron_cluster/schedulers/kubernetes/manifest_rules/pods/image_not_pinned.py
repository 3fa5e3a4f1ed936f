from __future__ import annotations

from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)

HINT = (
    "write NAME:TAG with a tag that is not latest, or NAME@sha256:DIGEST; in values of most charts these are image.tag "
    "and image.digest"
)


class ImageNotPinned(ManifestRule):
    """A container image has a digest, or a tag other than ``latest`` (`image`)."""

    id = "E8823"
    needs = Needs.POD
    source = "https://kubernetes.io/docs/concepts/containers/images/#image-names (no tag means latest)"

    def check(self, context: ManifestContext) -> Violations:
        for container in context.template.containers:
            image = str(container.body.get("image") or "")
            name, _, digest = image.partition("@")
            tag = name.rpartition("/")[2].partition(":")[2]
            if not image or (not digest and tag in ("", "latest")) or name.endswith(":"):
                yield Violation(
                    f"{container.path}.image",
                    f"{image!r} is not pinned: a digest or a tag other than latest is required",
                    HINT,
                )
