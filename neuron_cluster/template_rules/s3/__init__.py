"""Rules of S3 buckets that hold data."""
