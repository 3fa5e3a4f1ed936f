"""The picture of an environment from its plan: Region, zones, subnets, groups, storage, teams and flows."""
