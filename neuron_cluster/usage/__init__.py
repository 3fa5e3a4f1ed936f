"""Device-hours of teams from the metrics of a cluster: reserved, used, idle, and what they cost."""
