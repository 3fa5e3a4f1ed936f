"""Names of instance types in a request."""

import pytest

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError
from neuron_cluster.sizing.known_names import require_types


def test_a_name_of_hyperpod_is_rejected_with_the_type_of_ec2() -> None:
    with pytest.raises(ToolkitError, match=r"ml\.trn1\.32xlarge is a name of SageMaker") as caught:
        require_types(["trn2.48xlarge", "ml.trn1.32xlarge"], load_catalog())
    assert caught.value.hint == "--instance-type trn1.32xlarge has the same hardware"


def test_a_misspelt_name_has_similar_ones() -> None:
    with pytest.raises(ToolkitError) as caught:
        require_types(["trn1.32xlage"], load_catalog())
    assert "trn1.32xlarge" in (caught.value.hint or "")
