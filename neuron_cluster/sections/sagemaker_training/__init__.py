"""``sagemaker_training``: what training jobs of SageMaker need, and the jobs by name."""
