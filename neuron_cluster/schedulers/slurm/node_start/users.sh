# Name, id of the user and of its group, and home directory, which nodes share: the first one creates it.
add_user() {
  getent group "$1" >/dev/null || groupadd --gid "$2" "$1"
  getent passwd "$1" >/dev/null ||
    useradd --uid "$2" --gid "$2" --home-dir "$3" --no-create-home --shell /bin/bash "$1"
  [[ $(id -u "$1"):$(id -g "$1") == "$2:$2" ]] || fail "the AMI has a user $1 with another id than $2"
  mkdir -p "$(dirname "$3")"
  # It is root's until chown has ended, which changes the folder last: a node may be terminated before.
  if mkdir --mode=0700 "$3" 2>/dev/null || [[ -d $3 && $(stat --format=%u "$3") == 0 ]]; then
    cp --recursive --no-target-directory /etc/skel "$3"
    chown --recursive "$1:$1" "$3"
  fi
  [[ -d $3 ]] || fail "the home directory $3 of $1 was not created"
}
