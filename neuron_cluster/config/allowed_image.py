"""Images that pods of a team may run: repositories, folders of repositories, and references."""

from __future__ import annotations

_LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?"
_PORT = ":[0-9]{1,5}"
_COMPONENT = r"[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*"
_TAG, _DIGEST = ":[A-Za-z0-9_][A-Za-z0-9._-]{0,127}", "@sha256:[0-9a-f]{64}"

ALLOWED_IMAGE_PATTERN = (
    rf"^({_LABEL}(\.{_LABEL})+({_PORT})?|{_LABEL}{_PORT})/({_COMPONENT}/)*({_COMPONENT}({_TAG})?({_DIGEST})?)?$"
)
"""The registry is always named, so that no entry depends on the default of a container runtime
(distribution/reference: regexp.go)."""
LONGEST_IMAGE = 512
"""Characters of an entry: a repository of 255, a tag of 128 and a digest fit."""
