"""How rules speak: the text helpers of all messages, by the names that rules know them under."""

from __future__ import annotations

from neuron_cluster.findings.text import listed, quoted
from neuron_cluster.findings.text import on_one_line as printable

__all__ = ["listed", "printable", "quoted"]
