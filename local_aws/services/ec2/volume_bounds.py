"""Size, IOPS and throughput of volumes, within the bounds of their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.api_errors import api_error
from local_aws.knowledge.current import limit, limits
from local_aws.knowledge.rows import Limit

GP3 = "gp3"
SHAREABLE = ("io1", "io2")
"""Types of which several instances can attach a volume."""


def require_bounds(wanted: Mapping[str, Any]) -> None:
    """What EC2 takes of size, IOPS and throughput, by the type of the volume."""
    size, kind = wanted.get("Size"), wanted.get("VolumeType")
    _require_size(size, kind)
    if wanted.get("MultiAttachEnabled") and kind not in SHAREABLE:
        raise api_error("ec2.volume_multi_attach", kind=kind or "gp2")
    throughput, iops = wanted.get("Throughput"), wanted.get("Iops")
    if kind == GP3:
        _require_throughput(throughput)
    bounds = limits().get(f"ebs_{kind}_iops")
    if bounds is None:
        return
    own = limit("ebs_gp3_iops").require_minimum() if kind == GP3 else None
    if iops := iops or own:
        _require_iops(iops, size, bounds, limit(f"ebs_{kind}_iops_per_gib"))
        if kind == GP3 and throughput:
            _require_ratio(throughput, max(iops, own or 0))


def _require_size(size: int | None, kind: str | None) -> None:
    sizes = limit("ebs_gp3_volume_size")
    if size is not None and size < sizes.require_minimum():
        raise api_error("ec2.volume_too_small", size=size, minimum=sizes.minimum)
    if size is not None and kind == GP3 and size > sizes.require_maximum():
        raise api_error("ec2.volume_too_large", size=size, maximum=sizes.maximum)
    own = limits().get(f"ebs_{kind}_volume_size")
    if size is not None and own is not None and size < own.require_minimum():
        raise api_error("ec2.volume_type_size", kind=kind, minimum=own.minimum)


def _require_throughput(throughput: int | None) -> None:
    bounds = limit("ebs_gp3_throughput")
    if throughput is not None and throughput < bounds.require_minimum():
        raise api_error("ec2.volume_throughput_low", throughput=throughput, minimum=bounds.minimum)
    if throughput is not None and throughput > bounds.require_maximum():
        raise api_error("ec2.volume_throughput_high", throughput=throughput, maximum=bounds.maximum)


def _require_iops(iops: int, size: int | None, bounds: Limit, by_size: Limit) -> None:
    """The IOPS that every gp3 volume has are its own, however small it is; fewer may be asked for."""
    minimum = limit("ebs_iops").require_minimum()
    if iops < minimum:
        raise api_error("ec2.volume_iops_low", iops=iops, minimum=minimum)
    if iops > bounds.require_maximum():
        raise api_error("ec2.volume_iops_high", iops=iops, maximum=bounds.maximum)
    if size and iops > (bounds.minimum or 0) and iops > size * by_size.require_maximum():
        raise api_error("ec2.volume_iops_ratio", ratio=f"{iops / size:.6f}", maximum=by_size.maximum)


def _require_ratio(throughput: int, iops: int) -> None:
    by_throughput = limit("ebs_gp3_iops_per_mibps").require_minimum()
    if iops < throughput * by_throughput:
        raise api_error("ec2.volume_throughput_ratio", ratio=throughput / iops, maximum=1 / by_throughput)
