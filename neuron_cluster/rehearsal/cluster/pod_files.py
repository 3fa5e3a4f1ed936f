"""Files and addresses of pods: hosts files, logs, and the folder with the faults that a program meets."""

from __future__ import annotations

import json
import os
from pathlib import Path

from local_kubernetes.model.fields import at
from neuron_cluster.rehearsal.cluster.objects import Container, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.container_process import Mount

FAULTS_FOLDER = "/run/rehearsal"
"""Where a program finds the faults that it is to meet."""
DEVICES_FOLDER, COUNTER = "/sys/devices/virtual/neuron_device", "stats/hardware/sram_ecc_uncorrected"
"""Paths of the Neuron driver (aws-neuron/aws-neuron-sdk@81ce03a, neuron-sysfs-user-guide.rst)."""
CLOCK_FILE, ENDPOINTS_FOLDER, BUCKETS_FOLDER = "/run/clock", "/run/endpoints", "/run/s3"
ACCOUNT_FOLDER, KUBERNETES_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount", "/run/kubernetes"
FIRST_NETWORK = 1
"""Second byte of the addresses of pods: 127.0.x.x stays with this machine."""


def new_address(world: World) -> str:
    number = world.number()
    return f"127.{FIRST_NETWORK + number // 250 // 250}.{number // 250 % 250}.{number % 250 + 1}"


def faults_folder(world: World, pod: Pod) -> Path:
    folder = world.folder / "faults" / pod.uid
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def rehearsal_mounts(world: World, pod: Pod) -> tuple[Mount, ...]:
    """Returns the mounts of the files that programs/sitecustomize.py reads."""
    return (
        Mount(FAULTS_FOLDER, faults_folder(world, pod), read_only=True),
        Mount(CLOCK_FILE, world.folder / "clock", read_only=True),
        Mount(DEVICES_FOLDER, device_counters(world, pod), read_only=True),
        Mount(ENDPOINTS_FOLDER, world.folder / "endpoints", read_only=True),
        Mount(BUCKETS_FOLDER, buckets_folder(world)),
        *_account_mounts(world, pod),
    )


def _account_mounts(world: World, pod: Pod) -> tuple[Mount, ...]:
    """The token of the service account, and the ConfigMaps that programs/kubernetes_api.py answers with."""
    if at(pod.spec, "automountServiceAccountToken") is False:
        return ()
    folder = world.folder / "accounts" / pod.uid
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("namespace", pod.namespace), ("token", "rehearsal"), ("ca.crt", "")):
        (folder / name).write_text(text, encoding="ascii")
    served = world.folder / "kubernetes"
    if not served.exists():
        served.mkdir()
        for name, data in world.config_maps.items():
            (served / name).write_text(json.dumps(data), encoding="utf-8")
    return Mount(ACCOUNT_FOLDER, folder, read_only=True), Mount(KUBERNETES_FOLDER, served)


def buckets_folder(world: World) -> Path:
    """Returns the folder of the replacement of `aws s3`, with a folder for each bucket."""
    folder = world.folder / "s3"
    if not folder.exists():
        folder.mkdir()
        folder.chmod(0o1777)
    return folder


def device_counters(world: World, pod: Pod) -> Path:
    """As the Neuron driver shows them: the folder of each device has its errors (neuron-sysfs-user-guide)."""
    folder = world.folder / "devices" / pod.uid
    for number in range(pod.neuron_devices):
        counter = folder / f"neuron{number}" / COUNTER
        if not counter.exists():
            counter.parent.mkdir(parents=True)
            counter.write_text("0\n", encoding="ascii")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def log_file(world: World, pod: Pod, container: Container) -> Path:
    folder = world.folder / "logs"
    folder.mkdir(exist_ok=True)
    return folder / f"{pod.name}.{container.name}.log"


def hosts_file(world: World, pod: Pod) -> Path:
    return world.folder / "hosts" / pod.uid


def write_hosts(world: World) -> None:
    """Every pod's file: its own names first, then those that the headless Services publish.

    Written in place: the file is mounted.
    """
    published = "".join(_line(pod) for pod in world.live_pods() if pod.has_name)
    (world.folder / "hosts").mkdir(exist_ok=True)
    for pod in world.live_pods():
        if pod.address:
            own = f"{_line(pod).rstrip()} {pod.host_name}\n"
            _write_in_place(hosts_file(world, pod), f"127.0.0.1 localhost\n{own}{published}".encode())


def _write_in_place(file: Path, text: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        os.pwrite(descriptor, text, 0)
        os.ftruncate(descriptor, len(text))
    finally:
        os.close(descriptor)


def _line(pod: Pod) -> str:
    subdomain = at(pod.spec, "subdomain")
    if not subdomain:
        return f"{pod.address} {pod.name}\n"
    service = f"{pod.host_name}.{subdomain}"
    full = f"{service}.{pod.namespace}.svc.cluster.local"
    found_by_search = (f"{service}.{pod.namespace}.svc", f"{service}.{pod.namespace}", service)
    return f"{pod.address} {' '.join((full, *found_by_search))}\n"
