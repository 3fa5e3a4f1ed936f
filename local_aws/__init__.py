"""An AWS on this machine: API servers, CloudFormation, custom resources, Kubernetes objects."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from local_aws.server import LocalAws

__all__ = ["LocalAws"]


def __getattr__(name: str) -> Any:
    """``LocalAws`` when it is asked for: who reads templates alone does not load the server."""
    if name != "LocalAws":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from local_aws.server import LocalAws

    return LocalAws
