"""Parts of the Neuron chart, which several switches share.

The DRA driver has a release of its own: the chart drops plugin and detector from one that has the driver. It comes
after the other release, out of which the device plugin has then gone. The chart itself makes the driver's namespace:
one that is made first would not be the release's, and helm would refuse to take it over.
"""

from __future__ import annotations

from typing import Any

from neuron_cluster.software.charts_of_switches import NEURON_CHART
from neuron_cluster.software.component import Release
from neuron_cluster.software.instance_labels import with_missing_types
from neuron_cluster.software.plugin_tolerations import beyond_default
from neuron_cluster.software.setting import Setting
from neuron_cluster.software.values.closed_values import ClosedValues

DRA_RELEASE = "neuron-dra-driver"


def plugin_release(part: str, values: ClosedValues, setting: Setting, **further: Any) -> Release:
    """A part of the release that holds all but the DRA driver and what needs it."""
    return Release(chart=NEURON_CHART, values={part: values.as_values(), **_instances(setting)}, **further)


def driver_release(part: str, values: ClosedValues, setting: Setting) -> Release:
    """A part of the release of the DRA driver."""
    return Release(
        chart=NEURON_CHART,
        name=DRA_RELEASE,
        values={part: values.as_values(), **_instances(setting)},
        after=("neuron_node_problem_detector",),
    )


def tolerations_for(part: str, setting: Setting) -> dict[str, Any]:
    """The tolerations of a part as a field of its model; none when the chart's own cover the cluster's taints."""
    tolerations = beyond_default(NEURON_CHART, f"{part}.tolerations", setting.neuron_tolerations, setting.catalog)
    return {"tolerations": tolerations} if tolerations else {}


def _instances(setting: Setting) -> dict[str, Any]:
    types = with_missing_types(NEURON_CHART, setting.neuron_groups, setting.catalog)
    return {"neuronInstances": list(types)} if types else {}
