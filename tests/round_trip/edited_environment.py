"""One environment that is deployed with edits, so that what it then asks for need not come from three more deploys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ENVIRONMENT = "train-trn2"
EDITS: Mapping[str, Any] = {
    "eks.endpoint": {"access": "public_and_private", "public_access_cidrs": ["203.0.113.0/24"]},
    "eks.prefix_delegation": True,
    "eks.node_groups.0.ami_release": "1.35.6-20260714",
}
"""By key path. They bring no resource, so that the golden still names all of them."""
BROUGHT = frozenset(
    {
        ("AWS::EKS::Cluster", "ResourcesVpcConfig/PublicAccessCidrs/*"),
        ("AWS::EKS::Addon", "ConfigurationValues"),
        ("AWS::EKS::Nodegroup", "ReleaseVersion"),
    }
)
"""What goldens of other environments ask for, and these edits bring."""
