"""Facts of the local AWS about AWS beyond the models of botocore and the services of moto."""
