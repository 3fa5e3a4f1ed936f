"""The time of a deploy: expected and remaining, and the critical path, from templates and the catalog's durations."""
