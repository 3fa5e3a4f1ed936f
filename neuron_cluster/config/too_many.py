"""How many mistakes of one file are shown before the rest of it is not read."""

from __future__ import annotations

from neuron_cluster.findings.finding import Finding, Location

MOST_MISTAKES = 200
"""Nobody corrects more in one go; a file made to keep the reader busy could hold 200,000."""

OTHER_FILE = "name the environment's YAML file, or take out of this one what does not belong to an environment"
"""The hint for what is too large to be an environment."""


def too_many(file: str) -> Finding:
    """The finding that replaces those beyond ``MOST_MISTAKES``."""
    message = f"the file has more than {MOST_MISTAKES} mistakes; the first {MOST_MISTAKES} are shown"
    return Finding("E0008", Location(file), message, "correct these, then validate the file again")
