"""How a custom resource says no."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from botocore.exceptions import ClientError


class CustomResourceFailed(ClientError):  # type: ignore[misc]  # botocore has no types
    """A custom resource's FAILED answer, or a refusal of this local AWS, as the engine shows it.

    A ``ClientError``, so that the engine treats it as any other refusal; its text is the reason alone.
    """

    def __init__(self, reason: str, *, is_of_function: bool = False, physical_id: str | None = None) -> None:
        """``is_of_function``: whether the function got the event; then it may have made something, with this id."""
        super().__init__({"Error": {"Code": "CustomResourceFailed", "Message": reason}}, "CustomResource")
        self.reason = reason
        self.is_of_function = is_of_function
        self.physical_id = physical_id

    def __str__(self) -> str:
        return self.reason


DEFAULT_SERVICE_TIMEOUT = 3600


def no_answer(event: Mapping[str, Any]) -> CustomResourceFailed:
    """What CloudFormation says when the function has not answered within ``ServiceTimeout``, an hour without one.

    Source: CloudFormation user guide, AWS::CloudFormation::CustomResource, ServiceTimeout; the words as users report
    them (aws-solutions-library-samples/qnabot-on-aws#523).
    """
    return CustomResourceFailed(
        "CloudFormation did not receive a response from your Custom Resource. Please check your logs for requestId "
        f"[{event['RequestId']}]. If you are using the Python cfn-response module, you may need to update your Lambda "
        "function code so that CloudFormation can attach the updated version.",
        is_of_function=True,
    )
