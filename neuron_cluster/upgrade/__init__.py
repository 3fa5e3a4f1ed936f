"""From one Neuron SDK release to another: what moves, what breaks, what comes first, and the edited file."""
