# Installs a signed archive of PCS. Given: URL, SIGNING_KEY, FINGERPRINT, FOLDER, ARGUMENTS, VERSION_FILE.
export GNUPGHOME=$folder/keys
mkdir --mode=700 "$GNUPGHOME"
download "$SIGNING_KEY" key.pub
download "$URL" archive.tar.gz
download "$URL.sig" archive.tar.gz.sig
gpg --batch --no-autostart --quiet --import key.pub
# The last word of VALIDSIG is the fingerprint of the primary key.
if ! gpg --batch --no-autostart --status-fd 1 --verify archive.tar.gz.sig archive.tar.gz |
  grep -q "^\[GNUPG:\] VALIDSIG .* $FINGERPRINT\$"; then
  echo "$URL is not signed by $FINGERPRINT" >&2
  exit 1
fi
tar --extract --file archive.tar.gz
cd "$FOLDER"
read -r -a arguments <<<"$ARGUMENTS"
./installer.sh "${arguments[@]}"
cat "$VERSION_FILE"
