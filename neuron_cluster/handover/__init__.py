"""The hand-over pack of a team, and what its departure leaves behind."""
