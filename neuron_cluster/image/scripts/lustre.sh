# Installs the Lustre client for the kernel of the image. Given: PACKAGE, REPOSITORY and REPOSITORY_KEY (empty where the operating
# system has the package), HELD: packages that would bring another kernel, REQUIRED: whether nodes mount Lustre (yes or no).
key=/usr/share/keyrings/fsx-lustre.asc
sources=/etc/apt/sources.list.d/fsx-lustre.list
if ! command -v mount.lustre >/dev/null || ! modprobe --quiet lustre; then
  if [[ -n $REPOSITORY ]]; then
    download "$REPOSITORY_KEY" "$key"
    echo "deb [signed-by=$key] $REPOSITORY" >"$sources"
  fi
  if ! install_packages "$PACKAGE" || ! modprobe lustre; then
    echo "no Lustre client for kernel $(uname -r)" >&2
    rm -f "$sources"
    if [[ $REQUIRED == yes ]]; then exit 1; fi
  fi
fi
read -r -a held <<<"$HELD"
if ((${#held[@]} > 0)); then apt-mark hold "${held[@]}"; fi
