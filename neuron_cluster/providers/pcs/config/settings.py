"""Slurm settings of the cluster, a group or a queue."""

from typing import Annotated

from pydantic import BeforeValidator, Field, WithJsonSchema

from neuron_cluster.config.scalars import one_text

VALUE_PATTERN = r"^[^\x00-\x1f\x7f]{1,1024}$"

AS_EDITORS_READ = WithJsonSchema(
    {"anyOf": [{"type": "string", "pattern": VALUE_PATTERN}, {"type": "number"}, {"type": "boolean"}]}
)
"""Editors read ``PowerDownOnIdle: true`` as a boolean where this toolkit reads the text, which Slurm reads too."""

Settings = dict[str, Annotated[str, Field(pattern=VALUE_PATTERN), BeforeValidator(one_text), AS_EDITORS_READ]]
"""Values by name, as in slurm.conf; rule E2110 knows the names, rule E2115 the values."""
