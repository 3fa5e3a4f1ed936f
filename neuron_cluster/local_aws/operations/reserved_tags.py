"""Tags whose keys are AWS's own: every service refuses to set them for a caller.

Source: by service in neuron_cluster/local_aws/seeds/reserved_tags.yaml, which says what is in doubt
"""

from __future__ import annotations

from neuron_cluster.local_aws.enforcement.tags import reserved_keys, tag_keys, tagging_operations
from neuron_cluster.local_aws.guards import guard
from neuron_cluster.local_aws.operations.seed_data import seed_data
from neuron_cluster.local_aws.service import Call, ServiceError


def require_own_keys(call: Call) -> None:
    """Raises ServiceError, in the words of the service, for the first key that is reserved."""
    for key in reserved_keys(list(tag_keys(call.parameters)), call.region):
        row = seed_data("reserved_tags")[call.service]
        row = row.get("operations", {}).get(call.operation, row)
        raise ServiceError(row["code"], row["words"].format(key=key))


for _service in seed_data("reserved_tags"):
    guard(_service, *tagging_operations(_service))(require_own_keys)
