"""FSx for Lustre CSI driver."""

from __future__ import annotations

from neuron_cluster.software.component import Component, ManagedAddon
from neuron_cluster.software.setting import Setting


def component(setting: Setting) -> Component:
    """Without a role: the driver calls AWS only to create file systems. Ours are made here and mounted by their name,
    so its controller does without the AmazonFSxFullAccess that the guide attaches."""
    del setting
    return Component(addons=(ManagedAddon(name="aws-fsx-csi-driver", has_role=False),))
