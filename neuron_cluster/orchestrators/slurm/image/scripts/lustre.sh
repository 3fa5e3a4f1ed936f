# Installs the Lustre client for the kernel of the image. Given: PACKAGE, REPOSITORY and REPOSITORY_KEY (empty where the operating
# system has the package), HELD: packages that would bring another kernel.
key=/usr/share/keyrings/fsx-lustre.asc
if ! command -v mount.lustre >/dev/null || ! modprobe --quiet lustre; then
  if [[ -n $REPOSITORY ]]; then
    download "$REPOSITORY_KEY" "$key"
    echo "deb [signed-by=$key] $REPOSITORY" >/etc/apt/sources.list.d/fsx-lustre.list
  fi
  install_packages "$PACKAGE"
  modprobe lustre
fi
read -r -a held <<<"$HELD"
if ((${#held[@]} > 0)); then apt-mark hold "${held[@]}"; fi
