# At a reboot systemd mounts what is in fstab at the same time, and the second mount of the two fails.
mounted() { mountpoint --quiet "$1" || timeout 60 mount "$1"; }

# Folder, type, source and options. nofail: a boot must not wait for it; this program does, and the health check looks.
mount_at() {
  mkdir -p "$1"
  sed -i "\\# $1 #d" "$fstab"
  echo "@LINE@" >>"$fstab"
  retry mounted "$1" || fail "$1 is not mounted: $3 does not respond"
}
