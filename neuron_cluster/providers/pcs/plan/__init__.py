"""What the section becomes: settings, queues, compute node groups."""
