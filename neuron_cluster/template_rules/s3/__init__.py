"""S3: buckets with data."""
