"""One group of a provider, with the defaults that all providers share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from neuron_cluster.resolved.compute_group import ClusterGroup, GroupSpec
from neuron_cluster.resolved.root_volume import resolve_root_volume
from neuron_cluster.resolved.scaling import Scaling, ScalingKind

if TYPE_CHECKING:
    from neuron_cluster.catalog.catalog import Catalog
    from neuron_cluster.config.environment_config import EnvironmentConfig
    from neuron_cluster.config.source_map import KeyPath
    from neuron_cluster.resolved.machine_image import MachineImage

Group = TypeVar("Group", bound=ClusterGroup)


def resolve_group(
    kind: Callable[..., Group],
    path: KeyPath,
    spec: GroupSpec,
    image: MachineImage | None,
    config: EnvironmentConfig,
    catalog: Catalog,
    **fields: Any,
) -> Group:
    """``path`` is that of the item in the file; ``fields`` are its name, and those that its provider adds."""
    instance_type = catalog.instance_types.get(spec.instance_type)
    zones = [spec.availability_zone] if spec.availability_zone else config.network.zone_ids
    return kind(
        path=path,
        provider=path[0],
        spec=spec,
        instance_type=instance_type,
        zone_ids=tuple(dict.fromkeys(zones)),
        scaling=Scaling(ScalingKind.RANGE, spec.count.min, spec.count.desired, spec.count.max),
        image=image,
        root_volume=resolve_root_volume(spec.root_volume, instance_type, image, catalog),
        **fields,
    )
