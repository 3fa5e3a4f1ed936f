"""The error with which CloudFormation refuses a template."""

from __future__ import annotations


class TemplateError(Exception):
    """CloudFormation's error code and message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


def invalid_template(message: str) -> TemplateError:
    """The error for a template, or for what was given with it."""
    return TemplateError("ValidationError", message)
