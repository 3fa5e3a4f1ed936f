from __future__ import annotations

from local_kubernetes.model.fields import at, expand
from local_kubernetes.model.pod_templates import PodTemplate
from neuron_cluster.schedulers.kubernetes.manifest_rules.base import (
    ManifestContext,
    ManifestRule,
    Needs,
    Violation,
    Violations,
)
from neuron_cluster.schedulers.kubernetes.manifest_rules.pod_security.security_contexts import (
    SOURCE,
    container_contexts,
    security_contexts,
)

CAPABILITIES = frozenset({
    "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP",
    "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
})  # fmt: skip
SELINUX_TYPES = (None, "", "container_t", "container_init_t", "container_kvm_t", "container_engine_t")
SYSCTLS = frozenset({
    "kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_unprivileged_port_start",
    "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range", "net.ipv4.ip_local_reserved_ports",
    "net.ipv4.tcp_keepalive_time", "net.ipv4.tcp_fin_timeout", "net.ipv4.tcp_keepalive_intvl",
    "net.ipv4.tcp_keepalive_probes",
})  # fmt: skip
APPARMOR_ANNOTATION = "container.apparmor.security.beta.kubernetes.io/"


class PodSecurityBaseline(ManifestRule):
    """Pods in a namespace with Pod Security level baseline or restricted meet the baseline controls."""

    id = "E8861"
    needs = Needs.POD
    source = f"{SOURCE}#baseline"

    def check(self, context: ManifestContext) -> Violations:
        template = context.template
        if context.release.pod_security(template.owner.namespace) in ("baseline", "restricted"):
            yield from _host(template)
            yield from _addresses(template)
            yield from _profiles(template)
            yield from _kernel(template)
            yield from _container_contexts(template)


def _host(template: PodTemplate) -> Violations:
    """Host namespaces, hostPath volumes, host processes."""
    for field in ("hostNetwork", "hostPID", "hostIPC"):
        if at(template.spec, field) is True:
            yield _not_allowed(f"{template.spec_path}.{field}", f"{field} is true", f"remove {field}")
    for path, _ in expand(template.spec, "volumes.*.hostPath", template.spec_path):
        yield _not_allowed(
            path,
            "the volume is a directory of the node",
            "remove hostPath, and write emptyDir or persistentVolumeClaim; device plugins mount devices",
        )
    for path, context in security_contexts(template):
        if at(context, "windowsOptions", "hostProcess") is True:
            yield _not_allowed(f"{path}.windowsOptions.hostProcess", "hostProcess is true", "remove hostProcess")


def _addresses(template: PodTemplate) -> Violations:
    """Host ports, and hosts of probes and lifecycle hooks."""
    for container in template.containers:
        for path, port in expand(container.body, "ports.*.hostPort", container.path):
            if port:
                yield _not_allowed(path, f"hostPort is {port}", "remove hostPort; publish the port with a Service")
        for place in ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle.postStart", "lifecycle.preStop"):
            for action in ("httpGet", "tcpSocket"):
                for path, host in expand(container.body, f"{place}.{action}.host", container.path):
                    if host:
                        yield _not_allowed(path, f"host is {host}", "remove host: the kubelet then connects to the pod")


def _profiles(template: PodTemplate) -> Violations:
    """AppArmor and seccomp."""
    for path, profile in expand(template.body, "metadata.annotations.*", template.path):
        if APPARMOR_ANNOTATION in path and profile != "runtime/default" and not str(profile).startswith("localhost/"):
            yield _not_allowed(path, f"the AppArmor profile is {profile}", "write runtime/default")
    for path, context in security_contexts(template):
        profile = at(context, "appArmorProfile", "type")
        if profile not in (None, "RuntimeDefault", "Localhost"):
            yield _not_allowed(f"{path}.appArmorProfile.type", f"the profile is {profile}", "write RuntimeDefault")
        if at(context, "seccompProfile", "type") == "Unconfined":
            yield _not_allowed(f"{path}.seccompProfile.type", "the profile is Unconfined", "write RuntimeDefault")


def _kernel(template: PodTemplate) -> Violations:
    """SELinux and sysctls."""
    for path, context in security_contexts(template):
        if at(context, "seLinuxOptions", "type") not in SELINUX_TYPES:
            selinux_type = at(context, "seLinuxOptions", "type")
            yield _not_allowed(f"{path}.seLinuxOptions.type", f"type is {selinux_type}", "write container_t")
        for field in ("user", "role"):
            if at(context, "seLinuxOptions", field):
                yield _not_allowed(f"{path}.seLinuxOptions.{field}", f"{field} is set", f"remove {field}")
        for sysctl_path, name in expand(context, "sysctls.*.name", path):
            if name not in SYSCTLS:
                hint = f"remove the sysctl, or write one of {', '.join(sorted(SYSCTLS))}"
                yield _not_allowed(sysctl_path, f"{name} is not a safe sysctl", hint)


def _container_contexts(template: PodTemplate) -> Violations:
    for path, context in container_contexts(template):
        if at(context, "privileged") is True:
            yield _not_allowed(f"{path}.privileged", "privileged is true", "remove privileged")
        if at(context, "procMount") not in (None, "Default"):
            yield _not_allowed(f"{path}.procMount", f"procMount is {at(context, 'procMount')}", "remove procMount")
        for added_path, capability in expand(context, "capabilities.add.*", path):
            if capability not in CAPABILITIES:
                yield _not_allowed(added_path, f"the capability {capability} is added", f"remove {capability}")


def _not_allowed(path: str, what: str, hint: str) -> Violation:
    return Violation(path, f"{what}; the namespace's Pod Security level (baseline or higher) does not allow it", hint)
