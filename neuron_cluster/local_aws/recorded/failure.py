"""How a custom resource says no."""

from __future__ import annotations

from botocore.exceptions import ClientError


class CustomResourceFailed(ClientError):  # type: ignore[misc]  # botocore has no types
    """A custom resource's FAILED answer, or a refusal of this local AWS, as the engine shows it.

    A ``ClientError``, so that the engine treats it as any other refusal; its text is the reason alone.
    """

    def __init__(self, reason: str) -> None:
        super().__init__({"Error": {"Code": "CustomResourceFailed", "Message": reason}}, "CustomResource")
        self.reason = reason

    def __str__(self) -> str:
        return self.reason
