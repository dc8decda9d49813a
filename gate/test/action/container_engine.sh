# Podman where no Docker daemon runs and no cgroup manager helps: its own storage and settings below
# one folder, and an image of a bare Debian to build on. Sourced; sets CONTAINERS_CONF,
# CONTAINERS_STORAGE_CONF and base_image, or says in `no_container` why none can start.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash

write_engine_settings() {   # write_engine_settings FOLDER
  mkdir -p "$1/storage" "$1/run"
  cat >"$1/containers.conf" <<EOF
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
EOF
  local driver=vfs   # copies every layer; overlay only where the kernel lets us mount one
  mkdir -p "$1/try"/{lower,upper,work,merged}
  if mount -t overlay overlay "$1/try/merged" \
    -o "lowerdir=$1/try/lower,upperdir=$1/try/upper,workdir=$1/try/work" 2>/dev/null; then
    umount "$1/try/merged"
    driver=overlay
  fi
  rm -rf "$1/try"
  cat >"$1/storage.conf" <<EOF
[storage]
driver = "$driver"
graphroot = "$1/storage"
runroot = "$1/run"
EOF
  export CONTAINERS_CONF=$1/containers.conf CONTAINERS_STORAGE_CONF=$1/storage.conf
  export BUILDAH_ISOLATION=chroot
}

# The packages of the image's own install step are there already: it downloads nothing twice.
make_base() {   # make_base FOLDER
  [ ! -f "$1/base.tar" ] || return 0
  debootstrap --variant=minbase --include=ca-certificates,g++,git,libcurl4 bookworm "$1/base" \
    >"$1/base.log" 2>&1 || return 1
  rm -rf "$1/base/var/cache/apt/archives"/*.deb "$1/base/usr/share/doc" "$1/base/usr/share/locale" \
    "$1/base/usr/share/man"
  tar -C "$1/base" -cf "$1/base.tar" .
  rm -rf "$1/base"
}

start_engine() {   # start_engine FOLDER
  no_container=""
  local tool
  for tool in podman buildah runc debootstrap; do
    command -v "$tool" >/dev/null || { no_container="no $tool"; return; }
  done
  [ "$(id -u)" = 0 ] || { no_container="debootstrap needs root"; return; }
  write_engine_settings "$1"
  make_base "$1" || { no_container="debootstrap failed: $(tail -n 1 "$1/base.log")"; return; }
  base_image=localhost/gate-base:bookworm
  if ! podman image exists $base_image; then
    podman import --quiet "$1/base.tar" $base_image >"$1/import.log" 2>&1 ||
      { no_container="podman import failed"; return; }
  fi
  podman run --rm --network none $base_image true >"$1/probe.log" 2>&1 ||
    no_container="podman run failed: $(tail -n 1 "$1/probe.log")"
}
