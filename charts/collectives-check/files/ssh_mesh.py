"""The secure shell that Open MPI starts its daemons with: an unprivileged sshd in each pod, one key for this run.

The private key never leaves the launcher; workers read its public half from the ConfigMap that only this service
account may patch, and write the public halves of their host keys there, by which the launcher knows them. sshd as a
plain user admits that user alone, which is all that is wanted.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Mapping
from pathlib import Path

SSHD = "/usr/sbin/sshd"
SSH = "ssh"
SSH_KEYGEN = "ssh-keygen"
CONNECT_TIMEOUT_SECONDS = 10
# What a login shell of its own must not take over from the container.
NOT_PASSED_ON = frozenset({"HOME", "USER", "LOGNAME", "PWD", "OLDPWD", "SHLVL", "TERM", "HOSTNAME", "_"})


def session_environment() -> str:
    """The SetEnv line of sshd: a session gets nothing of the container's environment otherwise (not even its PATH).

    sshd takes the first SetEnv line only, hence one line; a value with a quote or a line break cannot be written there.
    """
    pairs = (
        f'"{name}={value}"'
        for name, value in sorted(os.environ.items())
        if name not in NOT_PASSED_ON and not name.startswith(("KUBERNETES_", "OMPI_")) and not set(value) & set('"\\\n')
    )
    return "SetEnv " + " ".join(pairs)


class SshMesh:
    """Keys and configuration under ``directory``, for the user that this process runs as."""

    def __init__(self, directory: Path, port: int) -> None:
        self.directory = directory
        self.port = port
        self.authorized_keys = directory / "authorized_keys"
        self.identity = directory / "identity"
        self.known_hosts = directory / "known_hosts"

    def start_server(self) -> subprocess.Popen[bytes]:
        """sshd in the foreground, as a child. Raises KeyError when the image knows no user of this number."""
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        host_key = self._new_key("host_key")
        self.authorized_keys.touch(mode=0o600)
        configuration = self.directory / "sshd_config"
        configuration.write_text(
            f"Port {self.port}\nHostKey {host_key}\nAuthorizedKeysFile {self.authorized_keys}\nPidFile none\n"
            f"PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\nStrictModes no\n"
            f"AllowUsers {pwd.getpwuid(os.getuid()).pw_name}\nMaxStartups 200:30:400\n{session_environment()}\n"
        )
        return subprocess.Popen([SSHD, "-D", "-e", "-f", str(configuration)])

    def new_identity(self) -> str:
        """A key for this run, and the client configuration that uses it. Answers the public half."""
        identity = self._new_key(self.identity.name)
        home = Path(pwd.getpwuid(os.getuid()).pw_dir) / ".ssh"
        home.mkdir(mode=0o700, exist_ok=True)
        (home / "config").write_text(
            f"Host *\n  Port {self.port}\n  IdentityFile {identity}\n  BatchMode yes\n  LogLevel ERROR\n"
            f"  ConnectTimeout {CONNECT_TIMEOUT_SECONDS}\n  StrictHostKeyChecking yes\n  HashKnownHosts no\n"
            f"  UserKnownHostsFile {self.known_hosts}\n"
        )
        (home / "config").chmod(0o600)
        return identity.with_suffix(".pub").read_text()

    @property
    def host_key(self) -> str:
        """The public half of the key by which this pod proves itself. Raises OSError before the server runs."""
        return (self.directory / "host_key.pub").read_text().strip()

    def know(self, host_keys: Mapping[str, str]) -> None:
        """Connects from now on to these addresses alone, each by its key."""
        lines = (f"[{address}]:{self.port} {' '.join(key.split()[:2])}\n" for address, key in host_keys.items())
        self.known_hosts.write_text("".join(lines))

    def admit(self, public_key: str) -> None:
        """Lets the holder of this key in, and nobody else."""
        if public_key and self.authorized_keys.read_text() != public_key:
            self.authorized_keys.write_text(public_key)

    def reaches(self, address: str) -> bool:
        """Whether a command can be run there now."""
        return subprocess.run([SSH, address, "true"], check=False, capture_output=True).returncode == 0

    def _new_key(self, name: str) -> Path:
        path = self.directory / name
        for old in (path, path.with_suffix(".pub")):
            old.unlink(missing_ok=True)
        subprocess.run([SSH_KEYGEN, "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
        return path
