"""Resource amounts in words: ``16 GiB of memory``."""

from __future__ import annotations

BINARY = (("TiB", 1024**4), ("GiB", 1024**3), ("MiB", 1024**2), ("KiB", 1024))
IN_BYTES = ("memory", "ephemeral-storage")


def describe(name: str, amount: int) -> str:
    """``1.5 CPUs``, ``16 GiB of memory``, ``16 aws.amazon.com/neuron``."""
    if name == "cpu":
        return measure(name, amount)
    return f"{measure(name, amount)} {'of ' if _is_in_bytes(name) else ''}{name}"


def measure(name: str, amount: int) -> str:
    """The same without the name: ``1.5 CPUs``, ``16 GiB``, ``16``."""
    if name == "cpu":
        return f"{amount / 1000:g} CPUs"
    if not _is_in_bytes(name):
        return str(amount)
    unit, size = next((each for each in BINARY if amount >= each[1]), BINARY[-1])
    return f"{amount / size:.4g} {unit}"


def rounded_down(name: str, amount: int) -> str:
    """``describe``, rounded down, so that it can be requested."""
    if not _is_in_bytes(name):
        return describe(name, amount)
    unit, size = next((each for each in BINARY if amount >= 10 * each[1]), BINARY[-1])
    return f"{amount // size} {unit} of {name}"


def _is_in_bytes(name: str) -> bool:
    return name in IN_BYTES or name.startswith("hugepages-")
