"""The programs that CDK's kubectl function finds on its PATH here, in place of those of its Lambda layers."""
