"""Stacks as CDK's assertion templates, by environment, edits and key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest


@pytest.fixture(scope="session")
def stack_of(cdk: Any, template_of: Callable[..., Any]) -> Callable[..., Any]:
    """``stack_of("train-trn1", "network", edits)``: an ``aws_cdk.assertions.Template``."""
    from aws_cdk.assertions import Template

    def stack(environment: str, stack_key: str, edits: Mapping[str, Any] | None = None) -> Any:
        return Template.from_json(template_of(environment, stack_key, edits))

    return stack
