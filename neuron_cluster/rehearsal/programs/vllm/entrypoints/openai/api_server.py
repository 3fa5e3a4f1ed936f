"""In the place of vLLM's server as a module: the same program as for `vllm serve`."""

from __future__ import annotations

import os
import sys

os.execvp("vllm", ["vllm", "serve", *sys.argv[1:]])  # noqa: S606  it takes the place of this process
