"""The core names no orchestrator: what is true of EKS alone is in ``orchestrators/eks`` and ``stacks/eks``."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "neuron_cluster"
OWN = ("orchestrators/eks/", "template_rules/eks/", "catalog/", "local_aws/")
NAME = re.compile(r"(?:^|[^a-z])eks", re.IGNORECASE)

LINES = {
    "aws/eks.py": 26,
    "changes/guards/state.py": 1,
    "changes/summary/image_change.py": 2,
    "cli/catalog.py": 7,
    "cli/explain.py": 4,
    "cli/images.py": 4,
    "cli/lock.py": 2,
    "cli/workload.py": 3,
    "config/environment.py": 1,
    "config/finding_specs.py": 2,
    "config/observability.py": 2,
    "deploy/pinned_images.py": 1,
    "findings/finding.py": 1,
    "findings/registry.py": 1,
    "kubernetes/names.py": 3,
    "kubernetes/scheduling/claim_reader.py": 1,
    "lock/diff.py": 1,
    "manifest_rules/claims/devices_from_plugin_and_claim.py": 2,
    "plan/node_addresses.py": 1,
    "registry/registries.py": 1,
    "report/addresses_page.py": 2,
    "report/catalog_page.py": 5,
    "report/images_page.py": 4,
    "report/plan_data.py": 1,
    "rules/cluster/__init__.py": 1,
    "rules/compute/e3001_unknown_instance_type.py": 2,
    "rules/compute/e3004_efa_not_supported.py": 1,
    "rules/compute/e3005_efa_across_zones.py": 2,
    "rules/compute/e3006_placement_group_with_reservation.py": 2,
    "rules/compute/e3007_count_order.py": 2,
    "rules/compute/e3009_duplicate_node_group_name.py": 2,
    "rules/compute/e3012_purchase_option_not_supported.py": 1,
    "rules/compute/e3013_reservation_without_zone.py": 1,
    "rules/compute/e3017_root_volume_ratios.py": 1,
    "rules/compute/e3018_instance_type_not_launchable.py": 1,
    "rules/compute/e3024_reservation_attributes_differ.py": 1,
    "rules/compute/e3046_partial_ultraserver.py": 1,
    "rules/compute/e3047_ultraserver_type_mismatch.py": 1,
    "rules/compute/e3048_ultraserver_block_shared.py": 1,
    "rules/compute/e3050_resource_group_in_another_region.py": 1,
    "rules/compute/e3060_efa_layout_exceeds_network_cards.py": 2,
    "rules/compute/e3062_local_disks_not_supported.py": 1,
    "rules/compute/w3003_instance_type_not_offered_in_zone.py": 3,
    "rules/compute/w3021_efa_disabled_on_multi_node_group.py": 1,
    "rules/compute/w3026_desired_before_capacity_block_active.py": 3,
    "rules/compute/w3027_capacity_block_group_min_above_zero.py": 1,
    "rules/compute/w3028_max_exceeds_capacity_block.py": 1,
    "rules/compute/w3031_on_demand_without_price.py": 1,
    "rules/compute/w3033_instance_type_announced_only.py": 1,
    "rules/compute/w3042_desired_before_capacity_block_start.py": 2,
    "rules/compute/w3061_efa_layout_undocumented.py": 1,
    "rules/identity/e6003_invalid_tag.py": 2,
    "rules/identity/e6004_invalid_generated_name.py": 2,
    "rules/network/e1001_zone_not_in_region.py": 1,
    "rules/network/e1002_zone_listed_twice.py": 2,
    "rules/software/e5010_runtime_driver_conflict.py": 1,
    "rules/software/e5024_chip_unsupported_by_newer_sdk.py": 1,
    "rules/software/w5011_runtime_driver_conflict_in_doubt.py": 1,
    "rules/software/w5012_driver_not_pinned.py": 3,
    "rules/software/w5013_driver_version_unknown.py": 2,
    "rules/software/w5032_chip_unsupported_by_driver.py": 3,
    "rules/workstations/e7002_dlami_instance_family_mismatch.py": 1,
    "software/chart_values/image_sources.py": 4,
    "software/chart_values/images.py": 4,
    "software/components/registry.py": 2,
    "software/device_management.py": 1,
    "software/managed_addons.py": 1,
    "software/needed_software.py": 8,
    "template_rules/base.py": 1,
    "template_rules/ec2/capacity_block_without_reservation.py": 5,
    "template_rules/ec2/duplicate_device_index.py": 1,
    "template_rules/ec2/efa_security_group_without_self_rules.py": 1,
    "template_rules/ec2/metadata_hop_limit.py": 2,
    "template_rules/ec2/network_card_limit_exceeded.py": 1,
    "template_rules/ec2/placement_group_in_capacity_block.py": 1,
    "upgrade/upgrade.py": 1,
    "workloads/recipes/neuron_serving.py": 1,
    "workloads/scheduling/finding_specs.py": 2,
    "workloads/value_checks.py": 2,
}
"""Lines with the name in files outside of its own packages: a number may fall, and no file may be added."""


def test_no_further_line_outside_its_packages_names_eks() -> None:
    found = Counter(
        {
            name: lines
            for file in sorted(PACKAGE.rglob("*.py"))
            if not (name := str(file.relative_to(PACKAGE))).startswith(OWN)
            and (lines := sum(bool(NAME.search(line)) for line in file.read_text(encoding="utf-8").splitlines()))
        }
    )
    assert {name: lines for name, lines in found.items() if lines > LINES.get(name, 0)} == {}
