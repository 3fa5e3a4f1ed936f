"""How well a colour is told from another: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""

from __future__ import annotations


def contrast(one: str, other: str) -> float:
    """The ratio of two colours such as ``#1b2733`` or ``#fff``: 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    wide = colour.removeprefix("#")
    wide = "".join(each * 2 for each in wide) if len(wide) == 3 else wide
    parts = [int(wide[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
