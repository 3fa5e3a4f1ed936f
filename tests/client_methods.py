"""Parts that boto3's clients create for themselves are created once: a run makes hundreds, for accounts and Regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from botocore.client import ClientCreator
from botocore.hooks import EVENT_ALIASES, EventAliaser, _PrefixTrie
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


def share_handlers_of_events() -> None:
    """Each client would copy the 300 handlers of the session; it adds to a few branches, and those alone are copied."""
    append, remove = _PrefixTrie.append_item, _PrefixTrie.remove_item

    def own_branch(trie: Any, key: str) -> None:
        name = key.split(".", maxsplit=1)[0]
        owned, branches = vars(trie).setdefault("owned", None), trie._root["children"]
        if owned is not None and name not in owned and name in branches:
            branches[name] = trie._recursive_copy(branches[name])
            owned.add(name)

    def append_item(self: Any, key: str, *arguments: Any, **options: Any) -> None:
        own_branch(self, key)
        append(self, key, *arguments, **options)

    def remove_item(self: Any, key: str, value: Any) -> None:
        own_branch(self, key)
        remove(self, key, value)

    def copied(self: Any) -> Any:
        made = _PrefixTrie()
        made._root = {**self._root, "children": dict(self._root["children"])}
        vars(self)["owned"], vars(made)["owned"] = set(), set()  # neither changes a branch that both have
        return made

    for method in (append_item, remove_item):
        setattr(_PrefixTrie, method.__name__, method)
    setattr(_PrefixTrie, "__copy__", copied)  # noqa: B010 - mypy lets no method be assigned
