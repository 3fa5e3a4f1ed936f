"""What an edit of ``sagemaker_training`` changes."""
