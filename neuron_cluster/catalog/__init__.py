"""What is true of the hardware and the services: dated rows with sources, and the questions to ask of them."""
