"""Taints of nodes, for every provider whose nodes are in a Kubernetes cluster."""

import enum
from typing import Annotated

from pydantic import Field

from neuron_cluster.config.scalars import ClosedModel


class TaintEffect(enum.StrEnum):
    """Effect of a taint on pods that do not tolerate it."""

    NO_SCHEDULE = "no_schedule"
    NO_EXECUTE = "no_execute"
    PREFER_NO_SCHEDULE = "prefer_no_schedule"


class Taint(ClosedModel):
    """A Kubernetes taint on every node of the group."""

    key: Annotated[str, Field(min_length=1, max_length=63)] = Field(description="Taint key.", examples=["team"])
    value: Annotated[str, Field(max_length=63)] = Field(default="", description="Taint value.", examples=["research"])
    effect: TaintEffect = Field(description="Effect on pods without the toleration.", examples=["no_schedule"])
