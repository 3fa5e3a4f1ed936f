"""Template rules: what AWS services reject, checked in synthesized templates. One rule a file, one folder a service."""
