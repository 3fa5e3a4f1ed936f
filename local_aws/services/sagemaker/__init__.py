"""SageMaker HyperPod: clusters, their nodes, compute quotas and scheduler configurations."""
