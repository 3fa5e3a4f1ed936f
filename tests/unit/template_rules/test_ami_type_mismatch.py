"""TemplateRule E8203 where the catalog itself doubts which image drives a type."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.template_rules.run import check_templates


def rules_woken(instance_type: str, ami_type: str) -> set[str]:
    group = {
        "Type": "AWS::EKS::Nodegroup",
        "Properties": {"AmiType": ami_type, "InstanceTypes": [instance_type], "Subnets": ["subnet-1"]},
    }
    return {finding.id for finding in check_templates({"nodes": {"Resources": {"Group": group}}}, load_catalog())}


@pytest.mark.parametrize("instance_type", ["inf1.xlarge", "trn3.48xlarge"])
def test_the_image_that_the_row_names_with_a_doubt_is_not_refused_and_any_other_is(instance_type: str) -> None:
    row = load_catalog().instance_types.get(instance_type)
    assert row is not None
    assert row.doubt_about("eks_ami_type")
    assert "E8203" not in rules_woken(instance_type, row.eks_ami_type or "")
    assert "E8203" in rules_woken(instance_type, "AL2023_x86_64_STANDARD")


def test_a_neuron_type_without_doubt_needs_an_image_with_its_driver() -> None:
    assert "E8203" not in rules_woken("trn1.32xlarge", "AL2023_x86_64_NEURON")
    assert "E8203" in rules_woken("trn1.32xlarge", "AL2023_x86_64_STANDARD")
