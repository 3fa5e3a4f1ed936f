"""Characters that look like others or like nothing, by their names: they come with text that is copied from a page."""

from __future__ import annotations


def strange_characters(text: str) -> str:
    """``a no-break space``; the first character of the text that does not show, or empty."""
    import unicodedata  # only a wrong text pays for this import

    for character in text:
        if character.isprintable() or character.isascii():
            continue
        name = unicodedata.name(character, f"character U+{ord(character):04X}")
        return f"a {name.lower() if name.isupper() else name}"
    return ""
