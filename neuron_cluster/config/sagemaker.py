"""Names of SageMaker that more than one section has."""

ML_TYPE_PATTERN = r"^ml\.[a-z][a-z0-9-]{1,15}\.[a-z0-9-]{2,20}$"
PLAN_ARN_PATTERN = (
    r"^arn:aws(-[a-z]+)*:sagemaker:[a-z]{2}(-[a-z]+)+-[0-9]:[0-9]{12}:training-plan/"
    r"[a-zA-Z0-9]([a-zA-Z0-9-]{0,62}[a-zA-Z0-9])?$"
)
"""TrainingPlanArn and TrainingPlanName of the SageMaker API; boto/botocore 1.44.5."""
