"""The Regions that are asked."""

import pytest

from neuron_cluster.capacity.offerings import require_regions
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.errors import ToolkitError


def test_known_regions_are_asked_in_the_order_given() -> None:
    assert require_regions(["us-east-2", "ap-south-2"], load_catalog()) == ("us-east-2", "ap-south-2")


def test_an_unknown_region_answers_with_near_names() -> None:
    with pytest.raises(ToolkitError) as refused:
        require_regions(["us-east-2", "ap-sout-2"], load_catalog())
    assert "'ap-sout-2'" in refused.value.message
    assert "did you mean ap-south-2" in refused.value.hint


def test_a_type_that_is_known_nowhere_needs_a_region() -> None:
    with pytest.raises(ToolkitError) as refused:
        require_regions([], load_catalog())
    assert "--region" in refused.value.hint
