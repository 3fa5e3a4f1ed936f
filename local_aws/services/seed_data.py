"""Facts that a service has from the start, from ``seeds/<service>.yaml``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from typing import Any

import yaml


@functools.cache
def seed_data(service: str) -> Mapping[str, Any]:
    text = resources.files("local_aws.seeds").joinpath(f"{service}.yaml").read_text(encoding="utf-8")
    data: Mapping[str, Any] = yaml.safe_load(text)
    return data
