"""Parts that boto3's clients create for themselves are created once: a run makes hundreds, for accounts and Regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from botocore.client import ClientCreator
from botocore.hooks import EVENT_ALIASES, EventAliaser
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


def keep_names_of_events() -> None:
    """Each client would look through 40 aliases for the name of each event that a call raises."""
    found: dict[str, str] = {}
    make = EventAliaser.__init__

    def initialize(self: EventAliaser, *arguments: Any) -> None:
        make(self, *arguments)
        if vars(self)["_event_aliases"] == EVENT_ALIASES:
            vars(self)["_alias_name_cache"] = found

    setattr(EventAliaser, "__init__", initialize)  # noqa: B010 - mypy lets no method be assigned
