"""What the local AWS knows of AWS beyond the models of botocore and the services of moto."""
