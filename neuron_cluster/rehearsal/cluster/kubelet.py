"""Runs the containers of pods on nodes that report.

Source: Kubernetes documentation, Pod Lifecycle (phases, restarts of containers, termination) and Init Containers.
"""

from __future__ import annotations

import signal
from collections.abc import Mapping

from local_kubernetes.model.fields import at, whole_number
from neuron_cluster.rehearsal.cluster import pod_files, ultraservers
from neuron_cluster.rehearsal.cluster.container_variables import MissingReference, command_of, variables_of
from neuron_cluster.rehearsal.cluster.objects import Container, Node, Phase, Pod
from neuron_cluster.rehearsal.cluster.probes import Probes
from neuron_cluster.rehearsal.cluster.volumes import mounts_of
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.container_process import ContainerProcess, ContainerSpec, start
from neuron_cluster.rehearsal.timeline import Source

FIRST_BACKOFF_SECONDS, LONGEST_BACKOFF_SECONDS = 10, 300
"""Between restarts of a container; doubled each time."""
KUBERNETES = ("10.100.0.1", "443")
"""Host and port of the Kubernetes API in every pod, which programs/kubernetes_api.py answers."""
UNKNOWN_PROGRAM = ("sleep", "infinity")
"""In the place of a command that only the image has."""


class Kubelets:
    """The kubelets of all nodes. ``sync`` starts what is to run, ``ended`` handles a container that ended."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._running: dict[int, tuple[Pod, Container]] = {}
        self._pulls: set[tuple[str, str]] = set()
        self._killed: set[Pod] = set()
        self._met: set[Pod] = set()
        self._named: set[Pod] = set()
        self._probes = Probes(world, self._stop)

    @property
    def has_programs(self) -> bool:
        """Whether any program notices time. Those of silent nodes do not."""
        return any(pod.has_kubelet for pod, _ in self._running.values())

    @property
    def is_computing(self) -> bool:
        """Whether a program uses a processor right now."""
        return any(container.process.computes for _, container in self._running.values() if container.process)

    def sync(self) -> None:
        """One look at each pod of a node that reports."""
        named = {pod for pod in self._world.live_pods() if pod.has_name}
        if named != self._named:
            self._named = named
            pod_files.write_hosts(self._world)
        for pod in self._world.live_pods():
            if pod.has_kubelet and not pod.is_terminal:
                self._meet(pod)
                if pod.deletes_at is not None:
                    self._terminate(pod)
                elif not pod.is_too_late and self._has_images(pod):
                    self._start_next(pod)

    def _meet(self, pod: Pod) -> None:
        """At the first look: a pod has a deadline of its own from then on."""
        if pod in self._met:
            return
        self._met.add(pod)
        seconds = whole_number(at(pod.spec, "activeDeadlineSeconds"))
        if seconds is not None:
            self._world.agenda.after(seconds, lambda: self._exceed(pod))

    def _exceed(self, pod: Pod) -> None:
        """The pod has failed once its containers have ended; none of them starts again."""
        if pod.is_terminal or pod.is_gone or pod.deletes_at is not None:
            return
        pod.is_too_late = True
        self._world.timeline.record(Source.KUBELET, pod.name, "DeadlineExceeded", "is active for too long")
        for container in pod.containers:
            self._stop(pod, container)
        if not any(each.process for each in pod.containers):
            self._finish(pod)

    def freeze(self, node: Node) -> None:
        """The programs of a lost instance stop, and their connections stay open: the others hear nothing."""
        for pod in {each.name: each for each, _ in self._running.values() if each.node is node}.values():
            self.hang(pod)

    def hang(self, pod: Pod) -> list[ContainerProcess]:
        """Its programs stop, as on a volume that does not answer. Returns those that ``thaw`` lets go on."""
        processes = [each.process for each in pod.containers if each.process is not None]
        for process in processes:
            process.freeze()
        return processes

    def kill(self, container: Container) -> None:
        """SIGKILL, as the kernel does where memory is short."""
        if container.process is not None:
            container.process.signal(signal.SIGKILL)

    def _stop(self, pod: Pod, container: Container) -> None:
        """SIGTERM, and SIGKILL after the grace period of the pod; its restart policy decides what follows."""
        process = container.process
        if process is not None:
            process.signal(signal.SIGTERM)
            self._world.agenda.after(pod.grace_seconds, lambda: process.signal(signal.SIGKILL))

    def ended(self, watcher: int, exit_code: int) -> None:
        """A container of this watcher ended."""
        if watcher not in self._running:
            return  # an orphan that this process inherited
        pod, container = self._running.pop(watcher)
        container.process, container.exit_code, container.is_ready = None, exit_code, False
        if pod.node is None or pod.node.ended_at is not None:
            return  # its kubelet is gone too
        self._world.timeline.record(Source.KUBELET, pod.name, "Exited", f"{container.name}: exit code {exit_code}")
        goes_on = pod.deletes_at is None and not pod.is_too_late
        if goes_on and self._restarts(pod, container):
            self._restart_later(pod, container)
        elif goes_on and container.is_init and exit_code == 0:
            pass  # the next one starts at the next look
        elif not any(each.process for each in pod.containers):
            self._finish(pod)

    def _has_images(self, pod: Pod) -> bool:
        """Pulls what the node does not have; every image once."""
        node, world = pod.node, self._world
        if node is None:
            return False
        missing = sorted({str(each.body["image"]) for each in pod.containers} - node.images)
        for image in missing:
            if (node.name, image) not in self._pulls:
                self._pulls.add((node.name, image))
                seconds = world.seconds["image_pull"]
                world.timeline.record(Source.KUBELET, pod.name, "Pulling", f"{image} on {node.name}: {seconds:.0f} s")
                world.agenda.after(seconds, lambda image=image: node.images.add(image))  # type: ignore[misc]
        return not missing

    def _start_next(self, pod: Pod) -> None:
        """The init containers one after the other, then all others together."""
        for container in (each for each in pod.containers if each.is_init):
            if container.exit_code != 0:
                if container.process is None and container.exit_code is None:
                    self._start(pod, container)
                return
        for container in pod.main_containers:
            if container.process is None and container.exit_code is None:
                self._start(pod, container)

    def _start(self, pod: Pod, container: Container) -> None:
        world = self._world
        pod.address = pod.address or pod_files.new_address(world)
        try:
            variables = variables_of(pod, container, world)
        except MissingReference as missing:
            self._report(pod, "CreateContainerConfigError", f"{container.name}: {missing} does not exist")
            return
        pod_files.write_hosts(world)
        root = world.folder / "roots" / f"{pod.uid}.{container.name}"
        root.mkdir(parents=True, exist_ok=True)
        container.process = start(self._spec(pod, container, variables), root)
        pod.phase = Phase.RUNNING
        self._running[container.process.watcher] = (pod, container)
        world.timeline.record(Source.KUBELET, pod.name, "Started", container.name)
        if not container.is_init:
            self._probes.watch(pod, container)

    def _report(self, pod: Pod, reason: str, message: str) -> None:
        if pod.message != message:
            pod.message = message
            self._world.timeline.record(Source.KUBELET, pod.name, reason, message)

    def _spec(self, pod: Pod, container: Container, variables: Mapping[str, str]) -> ContainerSpec:
        world = self._world
        user, group = _user(pod, container)
        command = command_of(container, variables)
        if not command:
            world.replaced_programs.add(f"what {container.body['image']} starts")
        return ContainerSpec(
            command=command or UNKNOWN_PROGRAM,
            environment={
                "REHEARSAL_CLOCK": pod_files.CLOCK_FILE,
                "REHEARSAL_LOG": "/proc/1/fd/1",
                "KUBERNETES_SERVICE_HOST": KUBERNETES[0],
                "KUBERNETES_SERVICE_PORT": KUBERNETES[1],
                "REHEARSAL_ADDRESS": pod.address,
                "REHEARSAL_FAULTS": pod_files.FAULTS_FOLDER,
                "REHEARSAL_RANKS": str(world.ranks),
                "REHEARSAL_COMPILE_SECONDS": str(world.compile_seconds),
                **variables,
            },
            host_name=pod.host_name,
            user=user,
            group=group,
            working_directory=str(container.body.get("workingDir") or "/"),
            mounts=(
                *mounts_of(pod, container, world),
                *pod_files.rehearsal_mounts(world, pod),
                *ultraservers.places(world, pod),
            ),
            hosts_file=pod_files.hosts_file(world, pod),
            neuron_devices=pod.neuron_devices,
            log=pod_files.log_file(world, pod, container),
        )

    def _restarts(self, pod: Pod, container: Container) -> bool:
        policy = str(at(pod.spec, "restartPolicy") or "Always")
        if container.is_init:
            return container.exit_code != 0 and policy != "Never"
        return policy == "Always" or (policy == "OnFailure" and container.exit_code != 0)

    def _restart_later(self, pod: Pod, container: Container) -> None:
        seconds = min(FIRST_BACKOFF_SECONDS * 2.0**container.restarts, LONGEST_BACKOFF_SECONDS)
        container.restarts += 1
        self._world.timeline.record(Source.KUBELET, pod.name, "BackOff", f"{container.name}: again in {seconds:.0f} s")

        def restart() -> None:
            container.exit_code = None

        self._world.agenda.after(seconds, restart)

    def _finish(self, pod: Pod) -> None:
        """All containers have ended, and none of them starts again."""
        codes = [each.exit_code for each in pod.containers if each.exit_code is not None]
        is_whole = all(each.exit_code == 0 for each in pod.main_containers) and not pod.is_too_late
        is_done = is_whole and not any(codes)
        pod.phase = Phase.SUCCEEDED if is_done else Phase.FAILED
        if any(codes) or is_done or pod.is_too_late or pod.deletes_at is not None:
            self._world.timeline.record(Source.KUBELET, pod.name, pod.phase.value)
        if pod.deletes_at is not None:
            self._world.forget_pod(pod)
        pod_files.write_hosts(self._world)

    def _terminate(self, pod: Pod) -> None:
        """The preStop hook, SIGTERM, and SIGKILL after the grace period, which begins with the hook."""
        running = [each.process for each in pod.containers if each.process is not None]
        if not running:
            self._finish(pod)
            return
        if pod in self._killed:
            return
        self._killed.add(pod)
        for container in pod.containers:
            seconds = float(at(container.body, "lifecycle", "preStop", "sleep", "seconds") or 0)
            self._world.agenda.after(seconds, lambda container=container: _end(container))  # type: ignore[misc]
        self._world.agenda.at(pod.deletes_at or 0.0, lambda: self._kill(pod))

    def _kill(self, pod: Pod) -> None:
        for container in pod.containers:
            if container.process is not None:
                what = f"{container.name}: SIGKILL after the grace period"
                self._world.timeline.record(Source.KUBELET, pod.name, "Killing", what)
                self.kill(container)


def _end(container: Container) -> None:
    if container.process is not None:
        container.process.signal(signal.SIGTERM)


def _user(pod: Pod, container: Container) -> tuple[int, int]:
    """User and group that the container runs as; root where neither pod nor container sets one."""
    own, of_pod = container.body.get("securityContext"), at(pod.spec, "securityContext")
    found = [at(own, key) if at(own, key) is not None else at(of_pod, key) for key in ("runAsUser", "runAsGroup")]
    return int(found[0] or 0), int(found[1] or 0)
