# Writes cuda_names.inc: what the CUDA headers declare for device code and launchers and the
# emulator does not have. Usage: python3 cuda_names.py CUDA_INCLUDE > cuda_names.inc
# SPDX-License-Identifier: Apache-2.0
import pathlib
import re
import subprocess
import sys

HEADERS = re.compile(
    r"^(cuda_runtime_api|driver_types|cuda_device_runtime_api|device_.*functions|sm_\d+_.*"
    r"|cuda_fp\d+|cuda_bf16|cuda_pipeline.*|cuda_awbarrier.*|texture_.*|surface_.*"
    r"|vector_functions|crt/(device_.*functions|math_functions|mma|sm_\d+_rt))\.(h|hpp)$")
FUNCTION = re.compile(r"\b(__[a-z]\w*|tex[123C]\w*|surf[123C]\w*|atomic[A-Z]\w*|make_\w+"
                      r"|h2?(?:cos|sin|tanh|exp|log|rcp|rint|ceil|floor|rsqrt|sqrt|trunc)\w*)\s*\(")
API = re.compile(r"\b(cuda[A-Z]\w*)\b")
INTERNAL = re.compile(r"^__(internal|attribute|builtin|declspec|func|cudart|cvt|nv_cvt|wgmma|align"
                      r"|asm|volatile|typeof|decltype|has_|is_|host|device|global|launch_bounds)")


def declared_in(folder):
    found = set()
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or not HEADERS.match(path.relative_to(folder).as_posix()):
            continue
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", path.read_text(errors="replace"), flags=re.S)
        found |= set(FUNCTION.findall(text)) | set(API.findall(text))
    return found


def known_to_the_emulator():
    include = pathlib.Path(__file__).parent / "include"
    headers = [path.name for path in sorted(include.glob("cuda_*.h"))] + ["cooperative_groups.h"]
    source = "".join(f"#include <{name}>\n" for name in ["gate_emu/prelude.h", *headers])
    command = ["g++", "-E", "-P", "-std=gnu++17", "-isystem", str(include), "-x", "c++", "-"]
    texts = [subprocess.run([*command, *flags], input=source, capture_output=True, text=True,
                            check=True).stdout for flags in ([], ["-dM"])]
    return set(re.findall(r"\w+", " ".join(texts)))


names = declared_in(pathlib.Path(sys.argv[1])) - known_to_the_emulator()
print("// Written by cuda_names.py: names of CUDA that the emulator does not have, sorted.")
print("// SPDX-License-Identifier: Apache-2.0")
for name in sorted(names):
    if not INTERNAL.match(name):
        print(f'"{name}",')
