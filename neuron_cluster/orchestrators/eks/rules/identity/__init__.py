"""Chapter 6: account, Region, names and tags."""
