"""Changes of a PCS cluster that stop a deploy."""
