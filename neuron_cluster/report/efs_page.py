"""File systems of NFS in `plan`: EFS and S3 Files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.cost.storage_list import S3_FILES_PRICES, efs_prices
from neuron_cluster.plan.efs_plan import EfsPlan
from neuron_cluster.plan.s3_files_plan import S3FilesPlan
from neuron_cluster.report.marks import Marks


def efs_rows(efs: EfsPlan, region: str, marks: Marks, catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """The file system with its prices, then its access points."""
    backup = "automatic backups" if efs.has_backup else "no automatic backups"
    text = (
        f"{efs.throughput_mode} throughput{marks.mark((*efs.path, 'throughput'))}, "
        f"{backup}{marks.mark((*efs.path, 'backup'))}, mount targets in {', '.join(efs.zone_ids)}"
    )
    yield "EFS file system", "; ".join(filter(None, (text, _prices(efs, region, catalog))))
    for each in efs.access_points:
        owner = f"{each.uid}{marks.mark((*each.path, 'uid'))}:{each.gid}{marks.mark((*each.path, 'gid'))}"
        yield (
            f"access point {each.name}",
            f"{each.folder} as {owner}, mode {each.mode}{marks.mark((*each.path, 'mode'))}",
        )


def s3_files_text(files: S3FilesPlan, region: str, marks: Marks, catalog: Catalog) -> str:
    """Returns the prefix of the bucket below the file system, with its prices."""
    prefix = f"{files.prefix}{marks.mark((*files.path, 'prefix'))}"
    text = f"{prefix} of the checkpoint bucket, mount targets in {', '.join(files.zone_ids)}"
    return "; ".join(filter(None, (text, price_list(S3_FILES_PRICES, region, catalog))))


def _prices(efs: EfsPlan, region: str, catalog: Catalog) -> str:
    return price_list(efs_prices(efs), region, catalog)


def price_list(named: Mapping[str, str], region: str, catalog: Catalog) -> str:
    """``about 0.3 USD a GB and month, …``; empty where no source has the Region."""
    known = {unit: catalog.storage_prices[name].regions.get(region) for name, unit in named.items()}
    if None in known.values():
        return ""
    return "about " + ", ".join(f"{usd:g} USD {unit}" for unit, usd in known.items())
