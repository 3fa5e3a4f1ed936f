"""Rules of ECR: the cache of public registries."""
