"""Steps and checkpoints in logs of several trainers."""

from __future__ import annotations

import pytest

from neuron_cluster.schedulers.kubernetes.running.log_progress import progress_of


@pytest.mark.parametrize(
    ("line", "step"),
    [
        ("[titan] step: 118  loss:  8.1309", 118),
        ("step 118 loss 2.31", 118),
        ("global_step=118", 118),
        ("{'loss': 1.2, 'step': 3}\nIteration 118/500", 118),
        ("epoch 3", None),
        ("", None),
    ],
)
def test_the_last_step(line: str, step: int | None) -> None:
    assert progress_of(f"step 3\n{line}\n" if step is not None else line).step == step


@pytest.mark.parametrize(
    "line",
    [
        "Saved checkpoint to /checkpoints/llama/step-100",
        "[titan] Finished saving the checkpoint in 12.3 seconds.",
        "Checkpoint at step 100 written",
        "Saving model checkpoint to /checkpoints/checkpoint-100",
    ],
)
def test_the_last_checkpoint(line: str) -> None:
    found = progress_of(f"Saved checkpoint to /old\n{line}\nstep 101\n")
    assert (found.checkpoint, found.last_line) == (line, "step 101")


def test_other_lines_are_no_checkpoint() -> None:
    assert progress_of("loading the checkpoint\nno checkpoint found\n").checkpoint is None
