"""Facts about a resource type that decide what is drift: values of properties that a template does not have."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from neuron_cluster.catalog.frozen_map import FrozenMap
from neuron_cluster.catalog.sourced_row import SourcedRow


class Listing(Struct, frozen=True, kw_only=True):
    """A call that lists resources of another type that exist in one of this type."""

    operation: str
    """``eks:ListAddons``."""
    parameters: FrozenMap[str, str]
    """Each with ``{Name}`` in it for a part of the physical id."""
    path: str
    """JMESPath of the names in the answer."""
    type: str
    """The type of the listed resources."""
    physical_id: str
    """With ``{@item}`` for a name."""
    ignored: tuple[str, ...] = ()
    """Regular expressions of names that the service itself makes."""


class DriftType(SourcedRow, frozen=True, kw_only=True):
    """One resource type; its name is the type's."""

    absent: FrozenMap[str, str] = FrozenMap()
    """The value, as JSON, that a resource has of a property that its template does not have; ``null``: none."""
    protects: tuple[str, ...] = ()
    """Properties by which data or access is protected: their drift is an error."""
    weakens: tuple[str, ...] = ()
    """The part of ``protects`` that each deploy reads, changed by it or not: public access, encryption, deletion
    protection, versions, and the state of keys."""
    maps: tuple[str, ...] = ()
    """Properties whose keys are the user's, so that a further key is a difference."""
    read_by_service: tuple[str, ...] = ()
    """Paths, ``*`` for every item of a list, that the service changes by itself."""
    sent_always: tuple[str, ...] = ()
    """Properties that every update of a resource sends, changed in the template or not."""
    sent_by_member: tuple[str, ...] = ()
    """Properties of which an update sends only the members that the template changes."""
    rejects_present: tuple[str, ...] = ()
    """Lists of which an update adds each new item with a call that fails where the resource has the item already."""
    events: tuple[str, ...] = ()
    """Names of the events of CloudTrail for calls that change a resource; an event of a deletion is one of them."""
    events_of: FrozenMap[str, tuple[str, ...]] = FrozenMap()
    """The ``events`` that change one property, by property; without it any of them may."""
    events_region: str = ""
    """The Region that has the events of a global service; empty: that of the environment."""
    listings: tuple[Listing, ...] = ()
    read_as: str = ""
    """The type of which a custom resource makes a resource, with the same names of properties."""
    physical_id: str = ""
    """With ``read_as``: the property that has the physical id."""
    unread: str = ""
    """Why no call returns what a resource of the type is; empty where one does."""

    def value_without(self, name: str) -> Any:
        """The value of a property in ``absent``."""
        return json.loads(self.absent[name])
