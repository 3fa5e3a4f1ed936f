from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.instance_type import InstanceType
from neuron_cluster.findings.text import listed
from neuron_cluster.rules.base import Rule, RuleContext, Violation, Violations


class EfaLayoutExceedsNetworkCards(Rule):
    """The network cards of the instance type support every interface of the EFA layout (`efa`).

    Reports nothing where the catalog does not have the number of network cards or of interfaces per card.

    Without this check EC2 rejects every launch with AttachmentLimitExceeded, and the group becomes CREATE_FAILED.
    """

    id = "E3060"
    source = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_NetworkCardInfo.html"
    proposes = ("efa",)
    references = ("terraform-aws-modules/terraform-aws-eks#2654",)

    def check(self, context: RuleContext) -> Violations:
        catalog = context.catalog
        for group in context.environment.cluster_groups:
            row = group.instance_type
            if row is None or group.efa_layout is None:
                continue
            if not _fits(row, group.efa_layout, catalog):
                others = [layout.name for layout in catalog.interface_layouts if _fits(row, layout.name, catalog)]
                yield Violation(
                    (*group.path, "efa"),
                    f"efa is {group.efa_layout}, which requires {_needed(row, group.efa_layout, catalog)}; {row.name} "
                    "has "
                    f"{row.network_cards} with {row.interfaces_per_card} each",
                    f"set efa: {listed(others, 'or')}",
                )


def _needed(row: InstanceType, layout: str, catalog: Catalog) -> str:
    cards = row.efa_interfaces or 1
    each = catalog.interface_layouts[layout].interfaces_per_card(cards)
    return f"{cards} network cards with {each} interface{'' if each == 1 else 's'} each"


def _fits(row: InstanceType, layout: str, catalog: Catalog) -> bool:
    if row.network_cards is None or row.interfaces_per_card is None:
        return True
    laid = catalog.interface_layouts[layout]
    cards = row.efa_interfaces or 1
    per_card = laid.interfaces_per_card(cards)
    return per_card <= row.interfaces_per_card and (not laid.has_efa or cards <= row.network_cards)
