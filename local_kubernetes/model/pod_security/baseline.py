"""The controls of the level baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from local_kubernetes.model.fields import at, expand
from local_kubernetes.model.pod_security.control import (
    NEWEST,
    USER_NAMESPACE_SINCE,
    RejectedField,
    container_contexts,
    has_user_namespace,
    security_contexts,
)
from local_kubernetes.model.pod_templates import PodTemplate

CAPABILITIES = frozenset({
    "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP",
    "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
})  # fmt: skip
SELINUX_TYPES = (None, "", "container_t", "container_init_t", "container_kvm_t", "container_engine_t")
SYSCTLS: Mapping[str, int] = {
    "kernel.shm_rmid_forced": 0,
    "net.ipv4.ip_local_port_range": 0,
    "net.ipv4.ip_unprivileged_port_start": 0,
    "net.ipv4.ping_group_range": 0,
    "net.ipv4.tcp_syncookies": 0,
    "net.ipv4.ip_local_reserved_ports": 27,
    "net.ipv4.tcp_fin_timeout": 29,
    "net.ipv4.tcp_keepalive_intvl": 29,
    "net.ipv4.tcp_keepalive_probes": 29,
    "net.ipv4.tcp_keepalive_time": 29,
    "net.ipv4.tcp_rmem": 32,
    "net.ipv4.tcp_wmem": 32,
    "net.ipv4.tcp_notsent_lowat": 37,
    "net.ipv4.tcp_slow_start_after_idle": 37,
}
"""Safe sysctls, with the minor version of the policy from which each is allowed.

Source: kubernetes/pod-security-admission@8f84a87: test/testdata/baseline/*/pass/sysctls*.yaml
"""
PLACES_OF_HOSTS = ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle.postStart", "lifecycle.preStop")
HOSTS_SINCE = 34
"""Minor version from which hosts of probes and lifecycle hooks are rejected."""
APPARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/"


def rejected_by_baseline(template: PodTemplate, minor: int = NEWEST) -> Iterator[RejectedField]:
    """``minor`` is that of the policy: Kubernetes 1.``minor``."""
    yield from _host(template)
    yield from _addresses(template, minor)
    yield from _profiles(template)
    yield from _kernel(template, minor)
    yield from _container_contexts(template, minor)


def _host(template: PodTemplate) -> Iterator[RejectedField]:
    """Host namespaces, hostPath volumes, host processes."""
    for field in ("hostNetwork", "hostPID", "hostIPC"):
        if at(template.spec, field) is True:
            yield RejectedField(f"{template.spec_path}.{field}", f"{field} is true", f"remove {field}")
    for path, _ in expand(template.spec, "volumes.*.hostPath", template.spec_path):
        yield RejectedField(
            path,
            "the volume is a directory of the node",
            "remove hostPath, and write emptyDir or persistentVolumeClaim; device plugins mount devices",
        )
    for path, context in security_contexts(template):
        if at(context, "windowsOptions", "hostProcess") is True:
            yield RejectedField(f"{path}.windowsOptions.hostProcess", "hostProcess is true", "remove hostProcess")


def _addresses(template: PodTemplate, minor: int) -> Iterator[RejectedField]:
    """Host ports, and hosts of probes and lifecycle hooks."""
    for container in template.containers:
        for path, port in expand(container.body, "ports.*.hostPort", container.path):
            if port:
                yield RejectedField(path, f"hostPort is {port}", "remove hostPort; publish the port with a Service")
        for place in PLACES_OF_HOSTS if minor >= HOSTS_SINCE else ():
            for action in ("httpGet", "tcpSocket"):
                for path, host in expand(container.body, f"{place}.{action}.host", container.path):
                    if host:
                        yield RejectedField(
                            path, f"host is {host}", "remove host: the kubelet then connects to the pod"
                        )


def _profiles(template: PodTemplate) -> Iterator[RejectedField]:
    """AppArmor and seccomp."""
    for path, profile in expand(template.body, "metadata.annotations.*", template.path):
        if APPARMOR_ANNOTATION in path and profile != "runtime/default" and not str(profile).startswith("localhost/"):
            yield RejectedField(path, f"the AppArmor profile is {profile}", "write runtime/default")
    for path, context in security_contexts(template):
        profile = at(context, "appArmorProfile", "type")
        if profile not in (None, "RuntimeDefault", "Localhost"):
            yield RejectedField(f"{path}.appArmorProfile.type", f"the profile is {profile}", "write RuntimeDefault")
        if at(context, "seccompProfile", "type") == "Unconfined":
            yield RejectedField(f"{path}.seccompProfile.type", "the profile is Unconfined", "write RuntimeDefault")


def _kernel(template: PodTemplate, minor: int) -> Iterator[RejectedField]:
    """SELinux and sysctls."""
    safe = sorted(each for each, since in SYSCTLS.items() if minor >= since)
    for path, context in security_contexts(template):
        if at(context, "seLinuxOptions", "type") not in SELINUX_TYPES:
            selinux_type = at(context, "seLinuxOptions", "type")
            yield RejectedField(f"{path}.seLinuxOptions.type", f"type is {selinux_type}", "write container_t")
        for field in ("user", "role"):
            if at(context, "seLinuxOptions", field):
                yield RejectedField(f"{path}.seLinuxOptions.{field}", f"{field} is set", f"remove {field}")
        for sysctl_path, name in expand(context, "sysctls.*.name", path):
            if name not in safe:
                hint = f"remove the sysctl, or write one of {', '.join(safe)}"
                yield RejectedField(sysctl_path, f"{name} is not a safe sysctl", hint)


def _container_contexts(template: PodTemplate, minor: int) -> Iterator[RejectedField]:
    for path, context in container_contexts(template):
        if at(context, "privileged") is True:
            yield RejectedField(f"{path}.privileged", "privileged is true", "remove privileged")
        may_unmask = has_user_namespace(template) and minor >= USER_NAMESPACE_SINCE
        if at(context, "procMount") not in (None, "Default") and not may_unmask:
            yield RejectedField(f"{path}.procMount", f"procMount is {at(context, 'procMount')}", "remove procMount")
        for added_path, capability in expand(context, "capabilities.add.*", path):
            if capability not in CAPABILITIES:
                yield RejectedField(added_path, f"the capability {capability} is added", f"remove {capability}")
