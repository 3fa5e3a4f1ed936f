"""Chapter 4: storage (FSx for Lustre, S3 buckets, EBS homes)."""
