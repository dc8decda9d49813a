# The container engine: which one works here, and the flags every container of ours gets. Sourced
# after step.sh. Flags are an argv, never a shell string.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

# Never root, not even in the container: a root runner's own folder goes to a user of no name.
container_user() {
  if [ "$(id -u)" = 0 ]; then echo 65532:65532; else echo "$(id -u):$(id -g)"; fi
}

memory_limit() {   # three quarters of the machine, in MiB
  awk '/^MemTotal:/ { printf "%dm\n", $2 * 3 / 4 / 1024 }' /proc/meminfo
}

engine_works() {   # engine_works docker|podman
  command -v "$1" >/dev/null || return 1
  timeout 60 "$1" info >/dev/null 2>&1
}

# container_flags NAME: fills the array `flags`. No network, no capability, no host environment,
# nothing writable but /tmp (exec: compiled kernels are loaded from it) and what is mounted.
container_flags() {
  local memory
  memory=$(memory_limit)
  flags=(run --rm --name "$1" --pull never --network none --log-driver none --no-healthcheck
    --tmpfs /tmp:rw,exec,nosuid,nodev,size=2g --shm-size 1g
    --cap-drop ALL --security-opt no-new-privileges
    --security-opt "seccomp=$source_root/docker/seccomp.json"
    --user "$(container_user)" --pids-limit 512 --memory "$memory" --memory-swap "$memory"
    --cpus "$(nproc)" --ulimit core=0 --ulimit nofile=4096 --ulimit nproc=4096
    --stop-timeout 10
    --env NVIDIA_DRIVER_CAPABILITIES=compute,utility --env CUDA_CACHE_DISABLE=1 --env HOME=/tmp)
  if [ "${writable_root:-no}" = no ]; then flags+=(--read-only); fi
  if [ "$sandbox" = docker ]; then
    flags+=(--init)
  else
    # podman hands proxies of the host to containers unless told not to.
    flags+=(--http-proxy=false)
    if [ -x /usr/libexec/podman/catatonit ]; then flags+=(--init); fi
  fi
}

# GPUs: docker reads its value as CSV, so a list carries quotes of its own.
gpu_flags() {
  local gpus=${GATE_GPUS:-${NVIDIA_VISIBLE_DEVICES:-all}} one
  case "$gpus" in '' | void | none) gpus=all ;; esac
  [[ $gpus =~ ^[A-Za-z0-9,:._-]{1,200}$ ]] || give_up 2 "gpus is not a list of GPUs"
  if [ "$sandbox" = docker ]; then
    if [ "$gpus" = all ]; then flags+=(--gpus all); else flags+=(--gpus "\"device=$gpus\""); fi
    return
  fi
  for one in ${gpus//,/ }; do flags+=(--device "nvidia.com/gpu=$one"); done
  if command -v selinuxenabled >/dev/null && selinuxenabled; then
    flags+=(--security-opt label=disable)
  fi
}

# The publisher's container: the host's network, and the engine's own filter of system calls, since
# ours knows local sockets only.
reach_network() {
  local at
  for at in "${!flags[@]}"; do
    case "${flags[$at]}" in
      --network) flags[at + 1]=$1 ;;
      seccomp=*) unset "flags[at]" "flags[at-1]" ;;
    esac
  done
}

# trusted NETWORK ENV... -- PROGRAM ARGUMENT...: judges and renders; never runs a kernel. Reads
# work/, writes verdict/ and publish/.
trusted() {
  local network=$1 name
  shift
  local variables=()
  while [ "$1" != -- ]; do
    variables+=("$1")
    shift
  done
  shift
  if [ "$sandbox" = process ] || [ "$sandbox" = none ]; then
    local set=(PATH="$PATH" HOME="$folder/publish")
    for name in "${variables[@]}"; do set+=("$name=${!name-}"); done
    env -i "${set[@]}" "$tree/$1" "${@:2}"
    return
  fi
  container_flags "$container-trusted"
  if [ "$network" != none ]; then reach_network "$network"; fi
  for name in "${variables[@]}"; do flags+=(--env "$name"); done
  for name in work verdict publish; do
    local mode=rw
    if [ "$name" = work ]; then mode=ro; fi
    flags+=(--volume "$folder/$name:$folder/$name:$mode")
  done
  "$sandbox" "${flags[@]}" --workdir "$folder/verdict" --entrypoint "$1" "$image" "${@:2}"
}

# Folders a container writes belong to its user; the runner's own stays able to remove them.
give_to_container() {
  if [ "$(id -u)" = 0 ]; then chown -R "$(container_user)" "$@"; fi
}
