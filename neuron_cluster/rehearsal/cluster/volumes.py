"""The mounts of a container: folders of this machine in the place of volumes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from local_kubernetes.model.fields import at, items
from local_kubernetes.model.quantity import bytes_of
from neuron_cluster.rehearsal.cluster.objects import Container, Pod
from neuron_cluster.rehearsal.cluster.world import World
from neuron_cluster.rehearsal.container_process import Mount

READ_AND_EXECUTE = 0o555


def mounts_of(pod: Pod, container: Container, world: World) -> tuple[Mount, ...]:
    """In the order of their paths, so that a mount inside of another comes after it."""
    volumes = {str(volume["name"]): volume for volume in items(at(pod.spec, "volumes"))}
    found = [_mount(entry, volumes, pod, world) for entry in items(container.body.get("volumeMounts"))]
    return tuple(sorted(found, key=lambda mount: mount.target))


def _mount(entry: Mapping[str, Any], volumes: Mapping[str, Any], pod: Pod, world: World) -> Mount:
    target, name = str(entry["mountPath"]), str(entry["name"])
    volume = volumes.get(name, {})
    if at(volume, "emptyDir", "medium") == "Memory":
        limit = at(volume, "emptyDir", "sizeLimit")
        return Mount(target, size_bytes=None if limit is None else bytes_of(str(limit)))
    source = _folder(name, volume, pod, world)
    is_read_only = bool(entry.get("readOnly")) or bool(at(volume, "persistentVolumeClaim", "readOnly"))
    return Mount(target, source, str(entry.get("subPath") or ""), read_only=is_read_only)


def _folder(name: str, volume: Mapping[str, Any], pod: Pod, world: World) -> Path:
    claim = at(volume, "persistentVolumeClaim", "claimName")
    if claim is not None:
        return world.claims[str(claim)]
    folder = world.folder / "volumes" / pod.uid / name
    if not folder.exists():
        folder.mkdir(parents=True)
        data_source = at(volume, "configMap", "name") or at(volume, "secret", "secretName")
        if data_source is not None:
            data = world.config_maps.get(str(data_source), {})
            _write_files(folder, _selected(data, at(volume, "configMap", "items") or at(volume, "secret", "items")))
        else:
            folder.chmod(0o777)
    return folder


def _selected(data: Mapping[str, Any], chosen: Any) -> Mapping[str, Any]:
    """Returns the entries that ``items`` names, under their paths; all of them without it."""
    return data if chosen is None else {str(each["path"]): data[each["key"]] for each in items(chosen)}


def _write_files(folder: Path, data: Mapping[str, Any]) -> None:
    for name, text in data.items():
        file = folder / name
        file.write_text(str(text), encoding="utf-8")
        file.chmod(READ_AND_EXECUTE)


def unmodelled(spec: Mapping[str, Any]) -> Iterator[str]:
    """Kinds of volumes that are empty folders here."""
    known = {"name", "configMap", "emptyDir", "persistentVolumeClaim"}
    for volume in items(at(spec, "volumes")):
        yield from (f"volume {volume['name']} ({kind})" for kind in volume if kind not in known)
