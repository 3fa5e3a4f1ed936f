"""Slurm settings of the cluster, a group or a queue."""

from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import text_or_number

VALUE_PATTERN = r"^[^\x00-\x1f\x7f]{1,1024}$"

Settings = dict[str, Annotated[str, Field(pattern=VALUE_PATTERN), text_or_number(VALUE_PATTERN)]]
"""By name, as in slurm.conf; rule E2110 knows the names."""
