"""Amazon SageMaker HyperPod: clusters, compute quotas and scheduler configurations."""
