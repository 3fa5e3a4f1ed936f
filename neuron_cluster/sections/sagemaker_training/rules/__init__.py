"""Rules about training jobs of SageMaker."""
