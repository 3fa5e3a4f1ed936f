# Installs enroot, and pyxis for the Slurm version of the image. Given: PACKAGES and PACKAGE_SHA256 (one word each, - without
# a checksum), SOURCE, SOURCE_SHA256, SOURCE_FOLDER, SLURM_VERSION.
checked() {
  if [[ $2 != - ]]; then echo "$2  $1" | sha256sum --check --quiet; fi
}

packages=()
read -r -a urls <<<"$PACKAGES"
read -r -a checksums <<<"$PACKAGE_SHA256"
for number in "${!urls[@]}"; do
  package=./$number.deb
  download "${urls[number]}" "$package"
  checked "$package" "${checksums[number]}"
  packages+=("$package")
done
install_packages "${packages[@]}"

slurm=@FOLDER@
settings=@SETTINGS@
download "$SOURCE" pyxis.tar.gz
checked pyxis.tar.gz "$SOURCE_SHA256"
tar --extract --file pyxis.tar.gz
# slurmd rejects a plug-in that was built for another version, so that it is beside the other plug-ins of this one.
CPPFLAGS="-I $slurm/include" make --directory "$SOURCE_FOLDER" install prefix=/usr/local libdir="$slurm/lib"
mkdir -p "$settings/plugstack.conf.d"
echo "required $slurm/lib/slurm/spank_pyxis.so" >"$settings/plugstack.conf.d/pyxis.conf"

# Of each user alone: layers that one user has downloaded are not readable for others.
cat >/etc/enroot/enroot.conf <<'CONF'
ENROOT_RUNTIME_PATH /run/enroot/user-$(id -u)
ENROOT_CACHE_PATH /var/lib/enroot/cache/user-$(id -u)
ENROOT_DATA_PATH /var/lib/enroot/data/user-$(id -u)
CONF
echo 'd /run/enroot 1777 root root' >/etc/tmpfiles.d/enroot.conf
mkdir --parents /var/lib/enroot/cache /var/lib/enroot/data
chmod 1777 /var/lib/enroot/cache /var/lib/enroot/data
for hook in 50-slurm-pmi.sh 50-slurm-pytorch.sh; do
  ln --symbolic --force "/usr/share/enroot/hooks.d/$hook" /etc/enroot/hooks.d/
done
# The hook for PMI calls scontrol, and slurmd has a search path of its own.
echo "PATH=$slurm/bin:/usr/local/bin:/usr/bin:/bin" >>/etc/default/slurmd
