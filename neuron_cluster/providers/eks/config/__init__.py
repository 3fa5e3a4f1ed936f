"""The section ``eks`` of the environment file: its models, one file each."""
