"""CloudFormation's operation on signals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.engine.signals import signal_resource
from local_aws.service import Call, operation
from local_aws.services.cloudformation.stacks import named_stack


@operation("cloudformation", "SignalResource")
def signal(call: Call) -> Mapping[str, Any]:
    signal_resource(call.engine.table, named_stack(call), call.parameters)
    return {}
