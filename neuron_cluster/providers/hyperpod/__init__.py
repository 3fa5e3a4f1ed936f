"""Groups of machines that Amazon SageMaker HyperPod runs."""
