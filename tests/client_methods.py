"""Methods of boto3's clients are made once for a service: a run makes hundreds of clients, for accounts and Regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from botocore.client import ClientCreator
from botocore.model import ServiceModel


def keep_methods_of_clients() -> None:
    """A method knows its name and its documentation alone, so that clients of every account can have the same one."""
    made: dict[tuple[str, str], dict[str, Callable[..., Any]]] = {}
    make = ClientCreator._create_methods

    def methods(self: ClientCreator, service_model: ServiceModel) -> dict[str, Callable[..., Any]]:
        key = (service_model.service_name, service_model.api_version)
        if key not in made:
            made[key] = make(self, service_model)
        return dict(made[key])  # boto3 adds its own to those of S3 and EC2

    ClientCreator._create_methods = methods
