"""The controller: version, size, queues, settings."""
