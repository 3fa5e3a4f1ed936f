"""The plan of the section: settings, queues, compute node groups."""
