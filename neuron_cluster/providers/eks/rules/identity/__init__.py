"""Chapter 6: account, Region, generated names and tags."""
