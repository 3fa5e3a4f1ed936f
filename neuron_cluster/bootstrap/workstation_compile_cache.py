"""The compile cache on a workstation: set on the instance that runs, because other user data would replace it."""

from __future__ import annotations

from neuron_cluster.bootstrap.workstation_boot import program

PROGRAM = "pull-compile-cache"
PROGRAM_PATH = f"/usr/local/bin/{PROGRAM}"
SETTINGS_PATH = "/etc/neuron-compile-cache.conf"
LOGIN_PATH = "/etc/profile.d/neuron-compile-cache.sh"
END = "END_OF_FILE"

LOGIN = """\
if [ "$(id -un)" = {user} ]; then
  export NEURON_COMPILE_CACHE_URL="$HOME/.cache/neuron-compile-cache"
  export VLLM_CACHE_ROOT="$HOME/.cache/vllm"
fi
"""
"""In the home, which outlives the instance. PyTorch/XLA, NxD and JAX read the first one, vLLM Neuron the second."""


def compile_cache_commands(*, address: str, region: str, login_user: str, target: str, lnc: int | None) -> list[str]:
    """Shell that installs the program and its settings. ``address`` is ``s3://…``; it may run as often as one likes."""
    settings = {"COMPILE_CACHE_URL": address, "AWS_REGION": region, "TARGET": target, "LNC": lnc or "default"}
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    return [
        _file(SETTINGS_PATH, text),
        _file(LOGIN_PATH, LOGIN.format(user=login_user)),
        _file(PROGRAM_PATH, program(PROGRAM)),
        f"chmod 755 {PROGRAM_PATH}",
    ]


def _file(path: str, text: str) -> str:
    return f"cat > {path} <<'{END}'\n{text}{END}"
