"""Landlock for the Python worker, entered once the GPU is open: the CUDA driver cannot be
initialised inside it. The filter of system calls holds before, gate-worker has set it."""
# SPDX-License-Identifier: Apache-2.0
import ctypes
import glob
import os

# Numbers and bits of linux/landlock.h; the same on all 64-bit machines.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
QUERY_VERSION, PATH_BENEATH = 1, 1
WRITE_FILE, CHANGE_FOLDERS, REFER, TRUNCATE = 1 << 1, 0x1FF0, 1 << 13, 1 << 14
BIND_AND_CONNECT_TCP = 3


class Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64)]


class PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32)]


def system_call():
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long
    return call


def landlock_version():
    """0: this kernel has none."""
    return max(0, int(system_call()(CREATE_RULESET, None, ctypes.c_size_t(0), QUERY_VERSION)))


def restrict(scratch):
    """Leaves only `scratch` and device files writable. Returns the Landlock version, 0: none."""
    call = system_call()
    version = landlock_version()
    if version < 1:
        return 0
    handled = WRITE_FILE | CHANGE_FOLDERS
    handled |= REFER if version >= 2 else 0
    handled |= TRUNCATE if version >= 3 else 0
    attributes = Ruleset(handled, BIND_AND_CONNECT_TCP if version >= 4 else 0)
    size = ctypes.sizeof(attributes) if version >= 4 else 8
    ruleset = call(CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return 0
    devices = ["/dev/null", "/dev/zero", *glob.glob("/dev/nvidia*")]
    for path, rights in [(scratch, handled)] + [(device, WRITE_FILE) for device in devices]:
        try:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        rule = PathRule(rights, folder)
        call(ADD_RULE, int(ruleset), PATH_BENEATH, ctypes.byref(rule), 0)
        os.close(folder)
    failed = call(RESTRICT_SELF, int(ruleset), 0)
    os.close(ruleset)
    return 0 if failed else int(version)
