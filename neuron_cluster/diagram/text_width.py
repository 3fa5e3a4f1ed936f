"""How wide a text is before a browser draws it, and how it is divided or shortened to fit."""

from __future__ import annotations

from collections.abc import Mapping

WIDTHS: Mapping[str, float] = {
    "ijl.,:;'|I!/[]()-`": 0.40,
    'frt "J': 0.42,
    "csvxyzk?": 0.60,
    "abdeghnopqu0123456789LFTE_$": 0.645,
    "ABCDKPRSVXYZ": 0.70,
    "GHNOQUw+=<>~": 0.84,
    "mM%W@…": 1.0,
}
"""Widths of characters in em, by the advances of DejaVu Sans, the widest font that browsers take for system-ui.

https://dejavu-fonts.github.io/
"""
OTHER = 1.0
"""The width of a character that is in no row, such as those of Chinese and Japanese."""
BOLD = 1.13
"""How much wider the bold face is."""
END = "…"
TAIL = 3
"""A shortened word keeps this part of its characters at its end: a third."""
JOINTS = "-/:._"
"""Characters after which a long word is divided, where that leaves no short line."""
_BY_CHARACTER = {character: width for characters, width in WIDTHS.items() for character in characters}


def text_width(text: str, size: int, *, bold: bool = False) -> float:
    """Pixels at a font size in pixels, or a little more."""
    em = sum(_BY_CHARACTER.get(character, OTHER) for character in text)
    return em * size * (BOLD if bold else 1)


def fitted(text: str, width: float, size: int, *, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits, with an ellipsis."""
    if text_width(text, size, bold=bold) <= width:
        return text
    while text and text_width(text + END, size, bold=bold) > width:
        text = text[:-1]
    return text.rstrip() + END


def wrapped(text: str, width: float, size: int, *, most: int, bold: bool = False) -> list[str]:
    """Lines of whole words; a word that is too long is divided, and the last of ``most`` lines is shortened.

    One word alone, such as a name, keeps its end, in which names often differ.
    """
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, size, bold=bold) <= width:
            lines[-1] = joined
        else:
            lines += _divided(word, width, size, bold=bold)
    if len(lines) <= most:
        return lines
    if len(text.split()) == 1:
        return _without_middle(text.strip(), width, size, most=most, bold=bold)
    rest = " ".join(lines[most - 1 :])
    return [*lines[: most - 1], fitted(rest, width, size, bold=bold)]


def _divided(word: str, width: float, size: int, *, bold: bool) -> list[str]:
    parts: list[str] = []
    while word and text_width(word, size, bold=bold) > width:
        fits = max(1, sum(text_width(word[:end], size, bold=bold) <= width for end in range(1, len(word) + 1)))
        joint = max(word.rfind(character, 0, fits) for character in JOINTS) + 1
        length = joint if joint > fits // 2 else fits
        parts.append(word[:length])
        word = word[length:]
    return [*parts, *([word] if word else [])]


def _without_middle(word: str, width: float, size: int, *, most: int, bold: bool) -> list[str]:
    for kept in range(len(word) - 1, 1, -1):
        last = kept // TAIL
        lines = _divided(word[: kept - last] + END + word[len(word) - last :], width, size, bold=bold)
        if len(lines) <= most:
            return lines
    return [END]
