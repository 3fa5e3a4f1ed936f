"""Names of instance types in groups of HyperPod: SageMaker's, which begin with ``ml.``."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_fixture import Case

from neuron_cluster.pipeline import check_environment

TYPE = "hyperpod.groups[0].instance_type"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("trn2.48xlarge", "instance types begin with ml. here: write ml.trn2.48xlarge"),
        ("Trn2", "it must be a SageMaker instance type such as ml.trn2.48xlarge"),
        ("ml.trn2", "it must be a SageMaker instance type such as ml.trn2.48xlarge"),
    ],
)
def test_a_name_of_ec2_is_answered_with_the_name_of_sagemaker(name: str, says: str, tmp_path: Path) -> None:
    findings = check_environment(Case("hyperpod-trn2", {TYPE: name}).write(tmp_path)).findings
    (found,) = (finding for finding in findings if finding.location.path == TYPE)
    assert (found.id, found.message) == ("E0013", f'{TYPE} is "{name}"; {says}')
