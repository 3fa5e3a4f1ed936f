"""The environment file: YAML, models, validation, field documentation."""
