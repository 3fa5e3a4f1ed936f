"""Size, IOPS and throughput of volumes, within the bounds of their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from local_aws.knowledge.current import limit, limits
from local_aws.knowledge.rows import Limit
from local_aws.service import ServiceError

GP3 = "gp3"
SHAREABLE = ("io1", "io2")
"""Types of which several instances can attach a volume."""


def require_bounds(wanted: Mapping[str, Any]) -> None:
    """What EC2 takes of size, IOPS and throughput, by the type of the volume."""
    size, kind = wanted.get("Size"), wanted.get("VolumeType")
    _require_size(size, kind)
    if wanted.get("MultiAttachEnabled") and kind not in SHAREABLE:
        _refuse(f"Multi-Attach is not supported for {kind or 'gp2'} volumes.")
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
        _refuse(f"Volume of {size}GiB is too small; minimum is {sizes.require_minimum()}GiB.")
    if size is not None and kind == GP3 and size > sizes.require_maximum():
        _refuse(f"Volume of {size}GiB is too large for volume type {GP3}; maximum is {sizes.require_maximum()}GiB.")
    own = limits().get(f"ebs_{kind}_volume_size")
    if size is not None and own is not None and size < own.require_minimum():
        _refuse(f"{kind} volumes must be at least {own.require_minimum()} GiB in size.")


def _require_throughput(throughput: int | None) -> None:
    bounds = limit("ebs_gp3_throughput")
    if throughput is not None and throughput < bounds.require_minimum():
        _refuse(f"Throughput of {throughput} MiBps is too low; minimum is {bounds.require_minimum()} MiBps.")
    if throughput is not None and throughput > bounds.require_maximum():
        _refuse(f"Throughput of {throughput} MiBps is too high; maximum is {bounds.require_maximum()} MiBps.")


def _require_iops(iops: int, size: int | None, bounds: Limit, by_size: Limit) -> None:
    """The IOPS that every gp3 volume has are its own, however small it is; fewer may be asked for."""
    minimum = limit("ebs_iops").require_minimum()
    if iops < minimum:
        _refuse(f"Volume iops of {iops} is too low; minimum is {minimum}.")
    if iops > bounds.require_maximum():
        _refuse(f"Volume iops of {iops} is too high; maximum is {bounds.require_maximum()}.")
    if size and iops > (bounds.minimum or 0) and iops > size * by_size.require_maximum():
        ratio = f"{iops / size:.6f}"
        _refuse(f"Iops to volume size ratio of {ratio} is too high; maximum is {by_size.require_maximum()}")


def _require_ratio(throughput: int, iops: int) -> None:
    by_throughput = limit("ebs_gp3_iops_per_mibps").require_minimum()
    if iops < throughput * by_throughput:
        ratio, maximum = throughput / iops, 1 / by_throughput
        _refuse(f"Throughput (MiBps) to iops ratio of {ratio} is too high; maximum is {maximum} MiBps per iops.")


def _refuse(words: str) -> None:
    """Source: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html; EKS passes the words on."""
    raise ServiceError("InvalidParameterValue", words)
