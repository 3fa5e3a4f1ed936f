"""The shipped environments break no rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates

ENVIRONMENTS = sorted(path.stem for path in (Path(__file__).parents[3] / "environments").glob("*.yaml"))


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_shipped_templates_break_no_rule(
    environment: str, templates_of: Callable[..., Any], plan_of: Callable[..., Any]
) -> None:
    templates = {f"{environment}-{part}": template for part, template in templates_of(environment).items()}
    assert check_templates(templates, load_catalog(), region=plan_of(environment).region) == []
