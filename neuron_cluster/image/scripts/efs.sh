# Installs the EFS mount helper, which nodes without internet access could not install. Given: PACKAGE.
install_packages "$PACKAGE"
