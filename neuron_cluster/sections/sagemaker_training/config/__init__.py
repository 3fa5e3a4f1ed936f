"""Models of the section ``sagemaker_training``."""
