"""Chapter 1: network (CIDRs, Availability Zones, subnets, NAT and VPC endpoints)."""
