"""Start and end of a capacity block, as written in the file."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from neuron_cluster.config.capacity import CapacityBlock, UltraserverBlock


class BlockWindow(Struct, frozen=True):
    """From ``starts`` to ``ends``, in UTC; None where the file does not set it."""

    starts: datetime | None
    ends: datetime | None

    @property
    def length(self) -> timedelta | None:
        """None when one end is open; negative when the block ends before it starts."""
        return self.ends - self.starts if self.starts is not None and self.ends is not None else None


def window_of(block: CapacityBlock | UltraserverBlock) -> BlockWindow:
    """The window of a block with valid times; config validation reports invalid ones."""
    return BlockWindow(_time(block.starts), _time(block.ends))


def clock(moment: datetime) -> str:
    """``11:30 UTC``."""
    return f"{moment:%H:%M} UTC"


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text is not None else None
