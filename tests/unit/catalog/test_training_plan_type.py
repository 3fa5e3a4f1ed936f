"""Types of training plans: those of the API that have Neuron devices, for the two targets that train."""

from __future__ import annotations

import functools
from typing import Any

import botocore.session
import pytest
from msgspec.structs import replace

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.catalog.training_plan_type import TrainingPlanType
from tests.every_case import every_case

CATALOG = load_catalog()
every_row = every_case("row", CATALOG.training_plan_types.rows, ids=lambda row: row.name)


@functools.cache
def sagemaker_model() -> Any:
    return botocore.session.Session().get_service_model("sagemaker")


def enumeration(shape: str) -> set[str]:
    return set(sagemaker_model().shape_for(shape).enum)


def test_the_rows_are_the_types_of_the_api_that_have_neuron_devices() -> None:
    names = {row.name for row in CATALOG.instance_types if row.neuron_devices}
    neuron = {name for name in enumeration("ReservedCapacityInstanceType") if name.removeprefix("ml.") in names}
    assert {row.name for row in CATALOG.training_plan_types} == neuron


@every_row
def test_a_row_is_of_a_type_of_the_catalog_with_targets_of_the_api(row: TrainingPlanType) -> None:
    assert row.name == f"ml.{row.instance_type}"
    assert row.instance_type in CATALOG.instance_types
    assert {target.name for target in row.targets} <= enumeration("SageMakerResourceName")
    assert row.type_quota.split()[2] == row.name


def test_rows_are_found_by_the_type_of_ec2() -> None:
    found = CATALOG.training_plan_types.of_instance_type("trn2.48xlarge")
    assert found is not None
    assert found.name == "ml.trn2.48xlarge"
    assert CATALOG.training_plan_types.of_instance_type("trn2.3xlarge") is None


@pytest.mark.parametrize("changes", [{"counts": (2, 1)}, {"counts": (1, 1)}, {"fewest_days": 183}])
def test_values_that_contradict_each_other_are_found(changes: dict[str, Any]) -> None:
    row = replace(CATALOG.training_plan_types.rows[0], **changes)
    assert [field for field, _ in row.contradictions()] == [*changes]
    assert list(CATALOG.training_plan_types.rows[0].contradictions()) == []
