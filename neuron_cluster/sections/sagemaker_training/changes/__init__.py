"""Effects of edits of ``sagemaker_training``."""
