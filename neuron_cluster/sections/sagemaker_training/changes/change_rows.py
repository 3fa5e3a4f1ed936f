"""Rows of the change table: what an edit of each key of ``sagemaker_training`` does."""

from __future__ import annotations

from neuron_cluster.config.change_row import ChangeRow, FieldEffect

JOBS = "sagemaker_training.jobs[]"
NEXT = "Nothing on jobs that run: the next submission has it."
ROLE = "The rights of the role change, for jobs that run too."
SUBNETS = f"{NEXT} Outputs of the stack may name another subnet."

TRAINING_ROWS = (
    ChangeRow(
        "sagemaker_training",
        FieldEffect.DISPOSABLE,
        "Adding it adds a stack, and a security group to that of the network. Removing it deletes them: jobs that run "
        "lose their rights, and the deletion of the group fails while a job has interfaces in it.",
    ),
    ChangeRow(
        "sagemaker_training.jobs",
        FieldEffect.DISPOSABLE,
        "A job that is added can be submitted. The role of a team goes with its last job, and jobs of it that run lose "
        "their rights.",
    ),
    ChangeRow(
        f"{JOBS}.name", FieldEffect.NONE, "The next submission has another prefix, and finds no checkpoint there."
    ),
    ChangeRow(
        f"{JOBS}.team",
        FieldEffect.DISPOSABLE,
        "The next submission has the role and the prefixes of the other team; a role without jobs is deleted.",
    ),
    ChangeRow(f"{JOBS}.image", FieldEffect.IN_PLACE, f"{NEXT} {ROLE}"),
    *(
        ChangeRow(f"{JOBS}.{key}", FieldEffect.NONE, NEXT)
        for key in (
            *("launcher", "front_end", "program", "arguments", "hyperparameters", "environment", "instance_type"),
            *("count", "capacity", "capacity.kind", "capacity.max_wait_hours", "capacity.plan_arn"),
            *("max_runtime_hours", "keep_alive_minutes"),
        )
    ),
    ChangeRow(f"{JOBS}.availability_zone", FieldEffect.IN_PLACE, SUBNETS),
    ChangeRow(f"{JOBS}.channels", FieldEffect.IN_PLACE, f"{NEXT} {ROLE}"),
    ChangeRow(f"{JOBS}.channels[].name", FieldEffect.NONE, NEXT),
    ChangeRow(f"{JOBS}.channels[].s3", FieldEffect.IN_PLACE, f"{NEXT} {ROLE}"),
    ChangeRow(f"{JOBS}.channels[].lustre", FieldEffect.IN_PLACE, f"{NEXT} Outputs of the stack name the file system."),
)
