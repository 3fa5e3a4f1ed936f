"""Which components a cluster gets: its flags, and defaults that fit the rest of the file.

Small inputs alone: rules ask before there is a plan.
"""

from __future__ import annotations

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.schedulers.kubernetes.software.component_flags import ComponentFlags
from neuron_cluster.schedulers.kubernetes.software.components.registry import COMPONENTS
from neuron_cluster.schedulers.kubernetes.software.defaults_context import DefaultsContext


def enabled_components(flags: ComponentFlags, context: DefaultsContext, catalog: Catalog) -> tuple[str, ...]:
    """Names of the enabled components, in the order of the flags."""
    return tuple(name for name in flags if _is_enabled(name, flags, context, catalog))


def _is_enabled(name: str, flags: ComponentFlags, context: DefaultsContext, catalog: Catalog) -> bool:
    flag = flags[name]
    if flag is not None:
        return flag
    default = COMPONENTS[name].default_when
    return default is not None and name not in context.installed_otherwise and default(flags, context, catalog)
