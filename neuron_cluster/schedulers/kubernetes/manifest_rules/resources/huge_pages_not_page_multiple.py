from __future__ import annotations

import math
from fractions import Fraction

from local_kubernetes.model.container_resources import HUGEPAGES, container_resources, is_hugepages
from local_kubernetes.model.quantity import SUFFIXES, quantity
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)

UNITS = ("Gi", "Mi", "Ki")


class HugePagesNotPageMultiple(ManifestRule):
    """The amount of huge pages is a multiple of the page size in bytes, not a number of pages (`hugepages-2Mi`).

    Without this check the API server rejects the pod, "is not positive integer multiple of hugepages-2Mi"; releases
    before that check took 256 for 256 bytes, and the program found no page.
    """

    id = "E8807"
    needs = Needs.POD
    source = (
        "kubernetes/kubernetes:pkg/apis/core/helper/helpers.go (IsHugePageResourceValueDivisible); "
        "https://kubernetes.io/docs/tasks/manage-hugepages/scheduling-hugepages/#api"
    )
    references = ("aws-neuron/aws-neuron-sdk#109",)

    def check(self, context: ManifestContext) -> Violations:
        for claims in container_resources(context.template):
            for path, name, value in claims.amounts():
                amount = quantity(value)
                if not is_hugepages(name) or amount is None:
                    continue
                size = name.removeprefix(HUGEPAGES)
                page = quantity(size)
                if page is None or page <= 0:
                    hint = f"remove {name}, and write hugepages-2Mi or hugepages-1Gi"
                    yield Violation(path, f"{size!r} is not a valid huge page size", hint)
                elif amount % page:
                    yield Violation(
                        path,
                        f"{value!r} of {name} is not a multiple of the page size; the unit is bytes",
                        f"write a multiple of {size}: {_whole(amount, page)}",
                    )


def _whole(amount: Fraction, page: Fraction) -> str:
    """``512Mi for 256 pages``: a whole number below one page probably is a number of pages."""
    pages = int(amount) if 0 < amount < page and amount.denominator == 1 else math.ceil(amount / page)
    size = pages * page
    unit = next((unit for unit in UNITS if size % SUFFIXES[unit] == 0), "")
    return f"{size / SUFFIXES[unit]}{unit} for {pages} pages"
