"""Access of programs in rehearsed containers to the machine: the test runs hostile ones as root of a container."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from neuron_cluster.rehearsal import namespaces
from neuron_cluster.rehearsal.beneath import opened_beneath
from neuron_cluster.rehearsal.container_process import ContainerSpec, Mount, start
from neuron_cluster.rehearsal.isolated import run_isolated

needs_namespaces = pytest.mark.skipif(
    namespaces.why_unsupported() is not None, reason="this machine lets no user create namespaces"
)

ESCAPE = """
import os
os.mkdir("/tmp/inner")
outer = os.open("/", os.O_RDONLY)
os.chroot("/tmp/inner")
os.fchdir(outer)
for _ in range(64):
    os.chdir("..")
os.chroot(".")
print(os.path.exists({marker!r}))
"""
WRITE = """
import os
for name in ("sys/kernel/core_pattern", "sys/vm/drop_caches", "sysrq-trigger", "irq/default_smp_affinity"):
    path = "/proc/" + name
    if os.path.exists(path):
        try:
            os.close(os.open(path, os.O_WRONLY))
            print("open", path)
        except OSError:
            pass
try:
    os.chmod("/dev/null", 0o666)
    print("mode of /dev/null")
except OSError:
    pass
with open("/dev/null", "w") as null:
    null.write("written")
"""
WRITE_BELOW = """
import errno, os
for name in {names!r}:
    try:
        open(name + "/new", "w").close()
        print(name, "is writable")
    except OSError as error:
        print("read-only" if error.errno == errno.EROFS else error)
print(os.path.exists("/held/a name/deeper/file"))
"""
REMOUNT = """
import ctypes
library = ctypes.CDLL(None)
print(library.mount(b"none", b"/proc/sys", None, 0x1020, None), library.umount2(b"/proc/sys", 2))
print(library.unshare(0x10000000))
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """The log of a container that root runs with these words of Python."""

    def run(program: str, *mounts: Mount, before: Callable[[], None] = lambda: None) -> str:
        log, root, hosts = tmp_path / "log", tmp_path / "root", tmp_path / "hosts"
        root.mkdir(exist_ok=True)
        hosts.touch()
        spec = ContainerSpec(
            command=(sys.executable, "-c", program),
            environment={},
            host_name="pod",
            user=0,
            group=0,
            working_directory="/",
            mounts=mounts,
            hosts_file=hosts,
            neuron_devices=0,
            log=log,
        )

        def work() -> bytes:
            before()
            _, status = os.waitpid(start(spec, root).watcher, 0)
            return str(os.waitstatus_to_exitcode(status)).encode()

        assert run_isolated(work) in (b"0", b"128"), log.read_text(encoding="utf-8")
        return log.read_text(encoding="utf-8")

    return run


@needs_namespaces
def test_root_of_a_container_does_not_leave_its_root(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "marker").touch()
    assert run(ESCAPE.format(marker=str(tmp_path / "marker"))) == "False\n"


@needs_namespaces
def test_root_of_a_container_writes_no_setting_of_the_kernel_and_no_mode_of_a_device(run: Callable[..., str]) -> None:
    assert run(WRITE) == ""


@needs_namespaces
def test_mounts_below_a_read_only_one_are_read_only(run: Callable[..., str], tmp_path: Path) -> None:
    """As /usr/local and /usr/share may be of their own on this machine, where root of a container is real root."""
    inner = tmp_path / "claim" / "a name"
    inner.mkdir(parents=True)

    def mount_below() -> None:
        namespaces.mount_memory(inner)
        (inner / "deeper").mkdir()
        namespaces.mount_memory(inner / "deeper")
        (inner / "deeper" / "file").touch()

    program = WRITE_BELOW.format(names=["/held", "/held/a name", "/held/a name/deeper"])
    mount = Mount("/held", tmp_path / "claim", read_only=True)
    assert run(program, mount, before=mount_below) == "read-only\n" * 3 + "True\n"


@needs_namespaces
def test_root_of_a_container_changes_no_mount_and_has_no_other_user_namespace(run: Callable[..., str]) -> None:
    assert run(REMOUNT) == "-1 -1\n-1\n"


@needs_namespaces
@pytest.mark.parametrize("is_source", [True, False], ids=["subPath", "mountPath"])
def test_a_link_of_a_program_in_a_volume_is_not_mounted(
    run: Callable[..., str], tmp_path: Path, *, is_source: bool
) -> None:
    claim, secret = tmp_path / "claim", tmp_path / "secret"
    for folder in (claim, secret):
        folder.mkdir()
    (secret / "key").touch()
    (claim / "link").symlink_to(secret)
    mounts = (Mount("/data", claim, "link"),) if is_source else (Mount("/data", claim), Mount("/data/link/new", claim))
    assert "link is a link, which a rehearsal does not follow" in run("print('started')", *mounts)
    assert [each.name for each in secret.iterdir()] == ["key"]


@needs_namespaces
def test_a_folder_below_a_claim_is_created_and_mounted(run: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "claim").mkdir()
    program = "open('/data/file', 'w').write('x'); print(open('/one/b/file').read(), open('/held/note').read())"
    mounts = (Mount("/data", tmp_path / "claim", "a/b"), Mount("/one", tmp_path / "claim", "a", read_only=True))
    (tmp_path / "note").write_text("y", encoding="ascii")
    assert run(program, *mounts, Mount("/held/note", tmp_path / "note", read_only=True)) == "x y\n"


@pytest.mark.parametrize(
    ("path", "number"), [("../outside", "EINVAL"), ("a/../../outside", "EINVAL"), ("link/x", "ELOOP")]
)
def test_a_path_that_leaves_its_folder_is_an_error(tmp_path: Path, path: str, number: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    with pytest.raises(OSError, match=r"not allowed|does not follow") as raised, opened_beneath(folder, path):
        pass
    assert errno.errorcode[raised.value.errno or 0] == number
    assert not (tmp_path / "outside").exists()


def test_a_link_to_a_folder_that_is_replaced_meanwhile_changes_nothing(tmp_path: Path) -> None:
    """A path is looked up once: what stands for it is the folder, not its name."""
    (tmp_path / "claim" / "sub").mkdir(parents=True)
    (tmp_path / "claim" / "sub" / "own").touch()
    (tmp_path / "other").mkdir()
    with opened_beneath(tmp_path / "claim", "sub") as found:
        (tmp_path / "claim" / "sub").rename(tmp_path / "claim" / "moved")
        (tmp_path / "claim" / "sub").symlink_to(tmp_path / "other")
        assert [each.name for each in found.iterdir()] == ["own"]
