"""What the findings before a deploy mean: by id, a sentence that says what must hold, and why."""

from __future__ import annotations

REFUSAL_PAGES: dict[str, tuple[str, str]] = {
    "E9500": (
        "The command ran to its end.",
        "Something outside the file stood in its way; the message says what. `--format json` reports it under this id.",
    ),
    "E9501": (
        "The credentials belong to the account that the file names.",
        "A deploy with the credentials of another account would build the environment there.",
    ),
    "E9502": (
        "The file holds no placeholder from an example.",
        "The account ids of the documentation and the reservation id of the examples belong to nobody.",
    ),
    "E9503": (
        "The account is set up for CDK in this Region.",
        "Templates and assets go through a bucket and roles that `cdk bootstrap` makes once.",
    ),
    "E9526": (
        "Every folder that the command writes to has space and can be written to.",
        "A synthesis writes 60 MiB for a while, and CDK unpacks and packs as much. The message names the full folder.",
    ),
    "E9521": (
        "Commands for AWS do not reach a local AWS (`AWS_ENDPOINT_URL`).",
        (
            "A shell with the variables of `neuron-cluster local` sends every call to it. Without `--local`, `lock` "
            "would write invented AMI ids for AWS, and `capacity` would show invented offers."
        ),
    ),
    "W9505": (
        "After a deploy every node group has the nodes that it asks for.",
        "EKS takes a new size before its nodes run: the stack succeeds, the group is DEGRADED, and its issues say why.",
    ),
}
