# Lets only root reach the instance metadata service. It has the credentials of the node's role, with which a job could
# register an instance, whose answer has the key of the scheduler.
# Source: https://docs.aws.amazon.com/pcs/latest/APIReference/API_RegisterComputeNodeGroupInstance.html
# Run as root: by start_node.sh, by systemd before the network is up, and by the prolog and the health check.
# Status 0: the rules are set. They are the same however often it runs.
# shellcheck shell=bash
set -u
export PATH=${PATH:-}:/usr/sbin:/usr/bin:/sbin:/bin # systemd gives units another one
ipv6=${IPV6_FOLDER:-/proc/sys/net/ipv6}

# A table of its own, before all others: no other program changes it. nft replaces it whole, or not at all.
# A list of who may: a user namespace gives a user more ids than its own.
with_nft() {
  nft --file - <<'RULES'
table inet neuron_cluster
delete table inet neuron_cluster
table inet neuron_cluster {
  chain metadata {
    type filter hook output priority -300; policy accept;
    ip daddr 169.254.169.254 meta skuid 0 accept
    ip6 daddr fd00:ec2::254 meta skuid 0 accept
    ip daddr 169.254.169.254 reject
    ip6 daddr fd00:ec2::254 reject
  }
}
RULES
}

# Program and address.
with_iptables() {
  local rule=(OUTPUT --destination "$2" --match owner ! --uid-owner 0 --jump REJECT)
  "$1" --wait --check "${rule[@]}" 2>/dev/null || "$1" --wait --insert "${rule[@]}"
}

if command -v nft >/dev/null && with_nft; then exit 0; fi
with_iptables iptables 169.254.169.254 || exit 1
if [[ -e $ipv6 ]]; then with_iptables ip6tables fd00:ec2::254 || exit 1; fi
