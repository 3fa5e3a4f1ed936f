"""The CreateTrainingJob request of a job: what botocore accepts, and what each key of the file becomes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import botocore.session
import pytest
from botocore.validate import ParamValidator

from neuron_cluster.schedulers.sagemaker.job_cost import cost_note, most_usd
from neuron_cluster.schedulers.sagemaker.request import request_of
from neuron_cluster.schedulers.sagemaker.sagemaker_plan import SageMakerTrainingPlan

NAME = "sagemaker-finetune"
JOB = "sagemaker_training.jobs.0"
LUSTRE = {"availability_zone": "usw2-az1", "capacity_gib": 1200}
PLAN_ARN = "arn:aws:sagemaker:us-west-2:111122223333:training-plan/trn1-week-49"

RequestOf = Callable[..., dict[str, Any]]


@pytest.fixture
def request_with(plan_of: Callable[..., Any]) -> RequestOf:
    """The request of the first job of the shipped file with edits of that job."""

    def made(edits: dict[str, Any] | None = None, **further: Any) -> dict[str, Any]:
        plan = plan_of(NAME, {f"{JOB}.{key}": value for key, value in (edits or {}).items()} | further)
        training = plan.provider(SageMakerTrainingPlan)
        return request_of(training.jobs[0], training, plan, "finetune-1")

    return made


VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"instance_type": "ml.trn1.2xlarge", "count": 1},
    {"instance_type": "ml.trn1n.32xlarge"},
    {"instance_type": "ml.trn2.48xlarge", "capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN}},
    {"capacity": {"kind": "spot", "max_wait_hours": 72}},
    {"keep_alive_minutes": 60, "hyperparameters": {"steps": "9"}, "environment": {"LOG_LEVEL": "debug"}},
    {"team": "research", "channels": [{"name": "train", "s3": "s3://tokens/train/"}]},
)


@pytest.mark.parametrize("edits", VARIANTS, ids=lambda edits: "-".join(edits) or "shipped")
def test_botocore_accepts_the_request(edits: dict[str, Any], request_with: RequestOf) -> None:
    shape = botocore.session.Session().get_service_model("sagemaker").operation_model("CreateTrainingJob").input_shape
    assert ParamValidator().validate(request_with(edits), shape).generate_report() == ""


def test_variables_of_efa_are_those_of_types_with_efa(request_with: RequestOf) -> None:
    efa = {"FI_PROVIDER": "efa", "FI_EFA_USE_DEVICE_RDMA": "1"}
    for instance_type in ("ml.trn1.32xlarge", "ml.trn1n.32xlarge", "ml.trn2.48xlarge"):
        variables = request_with({"instance_type": instance_type})["Environment"]
        assert {name: variables.get(name) for name in efa} == efa, instance_type
    small = request_with({"instance_type": "ml.trn1.2xlarge", "count": 1})["Environment"]
    assert not small.keys() & efa.keys()


def test_a_variable_of_the_file_replaces_that_of_the_toolkit(request_with: RequestOf) -> None:
    assert request_with({"environment": {"FI_PROVIDER": "tcp"}})["Environment"]["FI_PROVIDER"] == "tcp"


@pytest.mark.parametrize(
    ("edits", "subnets"),
    [
        ({}, ["${SubnetUsw2Az4}"]),
        ({"count": 1}, ["${SubnetUsw2Az4}", "${SubnetUsw2Az1}"]),
        ({"availability_zone": "usw2-az1"}, ["${SubnetUsw2Az1}"]),
        ({"count": 1, "channels": [{"name": "text", "lustre": "/text"}]}, ["${SubnetUsw2Az1}"]),
    ],
)
def test_instances_with_efa_and_those_that_mount_lustre_are_in_one_zone(
    edits: dict[str, Any], subnets: list[str], request_with: RequestOf
) -> None:
    assert request_with(edits, **{"storage.lustre": LUSTRE})["VpcConfig"]["Subnets"] == subnets


def test_a_spot_job_waits_and_a_job_in_a_plan_names_it(request_with: RequestOf) -> None:
    spot = request_with({"capacity": {"kind": "spot", "max_wait_hours": 72}})
    assert spot["EnableManagedSpotTraining"] is True
    assert spot["StoppingCondition"] == {"MaxRuntimeInSeconds": 86_400, "MaxWaitTimeInSeconds": 259_200}
    planned = request_with({"capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN}})
    assert planned["ResourceConfig"]["TrainingPlanArn"] == PLAN_ARN
    assert "EnableManagedSpotTraining" not in planned
    assert "MaxWaitTimeInSeconds" not in planned["StoppingCondition"]


def test_a_team_has_a_role_prefixes_and_a_tag_of_its_own(request_with: RequestOf) -> None:
    request = request_with({"team": "speech-lab"})
    assert re.fullmatch(r".*:role/\$\{RoleTeamSpeechLab[0-9a-f]{4}\}", request["RoleArn"])
    assert (
        request["CheckpointConfig"]["S3Uri"]
        == "s3://${CheckpointBucket}/sagemaker/jobs/speech-lab/finetune/checkpoints/"
    )
    assert {"Key": "neuron-cluster:team", "Value": "speech-lab"} in request["Tags"]


def test_a_folder_of_lustre_is_below_its_mount_name(request_with: RequestOf) -> None:
    channel, _ = request_with({"channels": [{"name": "text", "lustre": "/text/clean/"}]}, **{"storage.lustre": LUSTRE})[
        "InputDataConfig"
    ]
    assert channel["DataSource"]["FileSystemDataSource"] == {
        "FileSystemId": "${LustreId}",
        "FileSystemAccessMode": "ro",
        "FileSystemType": "FSxLustre",
        "DirectoryPath": "/${LustreMountName}/text/clean",
    }


def test_the_launcher_is_a_channel_of_the_owner_and_starts_the_program(request_with: RequestOf) -> None:
    request = request_with({"team": "speech", "program": ["train.py"], "arguments": ["--steps", "9"]})
    algorithm = request["AlgorithmSpecification"]
    assert algorithm["ContainerEntrypoint"] == ["python3", "/opt/ml/input/data/launcher/on_sagemaker.py"]
    assert algorithm["ContainerArguments"] == ["train.py", "--steps", "9"]
    (channel,) = request["InputDataConfig"]
    address = channel["DataSource"]["S3DataSource"]["S3Uri"]
    assert address.startswith("s3://${CheckpointBucket}/sagemaker/jobs/speech/launcher/")
    assert request["Environment"]["TRAINING_CORES"] == "32"


def test_the_entry_point_of_an_image_has_no_launcher(request_with: RequestOf) -> None:
    image = "763104351884.dkr.ecr.us-west-2.amazonaws.com/trainer:1"
    request = request_with({"launcher": "image", "image": image})
    assert request["AlgorithmSpecification"] == {"TrainingImage": image, "TrainingInputMode": "File"}
    assert "InputDataConfig" not in request
    assert [name for name in request["Environment"] if name.startswith("TRAINING_")] == []


@pytest.mark.parametrize(
    ("edits", "prices", "note", "most"),
    [
        ({}, {}, "2 x ml.trn1.32xlarge for at most 24 hours; the price is not known", None),
        ({}, {"ml.trn1.32xlarge": 10.0}, "at most 480.00 USD (`prices` of the file: 10.00 USD an hour)", 480.0),
        (
            {"capacity": {"kind": "spot", "max_wait_hours": 72}},
            {"ml.trn1.32xlarge": 10.0, "spot-ml.trn1.32xlarge": 4.0},
            "at most 192.00 USD",
            192.0,
        ),
        ({"keep_alive_minutes": 30}, {"ml.trn1.32xlarge": 10.0}, "then 30 minutes of the warm pool", 480.0),
        ({"capacity": {"kind": "training_plan", "plan_arn": PLAN_ARN}}, {}, "which is paid up front", 0.0),
    ],
    ids=["no price", "on demand", "Spot", "warm pool", "training plan"],
)
def test_the_cost_of_a_job_is_told_before_it_is_submitted(
    edits: dict[str, Any], prices: dict[str, float], note: str, most: float | None, plan_of: Callable[..., Any]
) -> None:
    plan = plan_of(NAME, {f"{JOB}.{key}": value for key, value in edits.items()} | {"prices": prices})
    (job,) = plan.provider(SageMakerTrainingPlan).jobs
    assert note in cost_note(job, plan.prices)
    assert most_usd(job, plan.prices) == most


def test_another_number_of_instances_with_efa_is_in_one_zone(plan_of: Callable[..., Any]) -> None:
    (job,) = plan_of(NAME, {f"{JOB}.count": 1}).provider(SageMakerTrainingPlan).jobs
    assert (len(job.zone_ids), len(job.on_instances(4).zone_ids), job.on_instances(4).instances) == (2, 1, 4)
