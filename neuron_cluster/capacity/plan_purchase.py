"""The AWS CLI command that buys a training plan offering: this toolkit never buys one."""

from __future__ import annotations

from neuron_cluster.capacity.plan_offers import PlanOffer
from neuron_cluster.capacity.purchase_command import PurchaseCommand, in_lines

OFFERING_ID = "--training-plan-offering-id"


def plan_name(offer: PlanOffer) -> str:
    """A name for the plan with its type, target and first day: ``trn2-hyperpod-cluster-20261201``."""
    family = offer.row.instance_type.partition(".")[0]
    day = f"-{offer.start:%Y%m%d}" if offer.start is not None else ""
    return f"{family}-{offer.target.name}{day}"


def plan_arguments(offer: PlanOffer, purchase: PurchaseCommand) -> tuple[str, ...]:
    """The arguments of the AWS CLI command."""
    return (
        *("aws", "sagemaker", "create-training-plan", "--region", offer.region),
        *(("--endpoint-url", purchase.endpoint) if purchase.endpoint else ()),
        *("--training-plan-name", plan_name(offer)),
        *(OFFERING_ID, offer.offering.id),
    )


def plan_command(offer: PlanOffer, purchase: PurchaseCommand) -> str:
    """The command for a shell: an option on each line, and the long id of the offering on its own."""
    return in_lines(plan_arguments(offer, purchase)).replace(f"{OFFERING_ID} ", f"{OFFERING_ID} \\\n    ")
