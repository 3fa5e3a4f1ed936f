"""Why a file is not JSON, for a message."""

from __future__ import annotations

import json


def why_not_json(error: ValueError | RecursionError) -> str:
    """Part of a sentence after a colon, in place of what Python writes about its own limits."""
    if isinstance(error, RecursionError):
        return "its objects are nested too deeply"
    if isinstance(error, UnicodeDecodeError):
        return f"its byte {error.start:,} is not UTF-8 text"
    if not isinstance(error, json.JSONDecodeError):
        return "a number in it has too many digits"
    if not error.doc.strip():
        return "it is empty"
    is_cut = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
    return f"it is incomplete, line {error.lineno} is the last one" if is_cut else str(error)
