"""Training jobs of SageMaker: requests to its API."""
