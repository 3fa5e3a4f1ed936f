"""References of images: a port is no tag, and what is not named is None."""

from __future__ import annotations

from local_kubernetes.model.image_reference import ImageReference, image_reference
from tests.every_case import every_case

DIGEST = f"sha256:{'a' * 64}"


@every_case(
    "text, repository, tag, digest, is_pinned",
    [
        ("busybox", "busybox", None, None, False),
        ("busybox:latest", "busybox", "latest", None, False),
        ("docker.io/library/busybox:1.37", "docker.io/library/busybox", "1.37", None, True),
        ("localhost:5000/trainer", "localhost:5000/trainer", None, None, False),
        ("localhost:5000/trainer:2", "localhost:5000/trainer", "2", None, True),
        (f"quay.io/mine/trainer@{DIGEST}", "quay.io/mine/trainer", None, DIGEST, True),
        (f"quay.io/mine/trainer:2@{DIGEST}", "quay.io/mine/trainer", "2", DIGEST, True),
        ("trainer:", "trainer", None, None, False),
        ("", "", None, None, False),
    ],
)
def test_parts(text: str, repository: str, tag: str | None, digest: str | None, is_pinned: bool) -> None:
    reference = image_reference(text)
    assert reference == ImageReference(repository, tag, digest)
    assert reference.is_pinned == is_pinned
