"""The values of a template that depend on account and Region, and those of a user in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct


class Replacements(Struct, frozen=True):
    """Each pair is the value of the template, and that of the user."""

    account: tuple[str, str]
    region: tuple[str, str]
    zones: Mapping[str, str]
    """The zone id of the user's Region for each zone id that the template uses."""

    def after(self, value: str) -> str:
        """The value of the user for one of the template; ARNs and DNS names have account and Region in them."""
        if value in self.zones:
            return self.zones[value]
        moved = re.sub(rf"\b{re.escape(self.region[0])}\b(?!-)", self.region[1], value)
        return moved.replace(*self.account)
