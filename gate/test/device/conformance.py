"""The conformance snippets on a GPU: compiled by nvcc, one program a file, values compared.

Part `conformance` of acceptance.py; by itself it also only compiles (--compile-only), which needs
no GPU. The form of the snippets: conformance/indices.cu.
"""
# SPDX-License-Identifier: Apache-2.0
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "conformance"
ROUNDS = 3                                # device variables must be left as they were found
PROGRAM_SECONDS_MAX = 60
RED_ZONE_WORDS = 1024

PROGRAM = r"""#include <cstdio>
#include <cstdlib>
#include <vector>
#include "@FILE@"
namespace gate_conformance {
struct Run {
  const char* name;
  const void* kernel;
  dim3 grid, block;
  unsigned shared, words;
};
const Run runs[] = {
@RUNS@};
bool run(const Run& r, unsigned* memory, unsigned zone) {
  const unsigned words = r.words + 2 * zone;
  std::vector<unsigned> host(words, 0xAAAAAAAAu);
  cudaMemcpy(memory, host.data(), words * 4, cudaMemcpyHostToDevice);
  unsigned* out = memory + zone;
  void* arguments[] = {&out};
  auto status = cudaLaunchKernel(r.kernel, r.grid, r.block, arguments, r.shared, nullptr);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status == cudaSuccess) {
    status = cudaMemcpy(host.data(), memory, words * 4, cudaMemcpyDeviceToHost);
  }
  if (status != cudaSuccess) {
    std::printf("failed %s %s\n", r.name, cudaGetErrorString(status));
    return false;
  }
  bool intact = true;
  for (unsigned i = 0; i < words; ++i) {
    intact = intact && ((i >= zone && i < zone + r.words) || host[i] == 0xAAAAAAAAu);
  }
  std::printf("ran %s %d", r.name, intact);
  for (unsigned i = 0; i < r.words; ++i) std::printf(" %x", host[zone + i]);
  std::printf("\n");
  return true;
}
}  // namespace gate_conformance
int main(int count, char** texts) {
  const unsigned first = count > 1 ? std::atoi(texts[1]) : 0, zone = @ZONE@;
  unsigned* memory = nullptr;
  if (cudaMalloc(&memory, (1u << 16) + zone * 8) != cudaSuccess) return 3;
  for (unsigned i = first; i < sizeof(gate_conformance::runs) / sizeof(gate_conformance::Run);
       ++i) {
    std::printf("begin %s\n", gate_conformance::runs[i].name);
    std::fflush(stdout);
    for (int round = 0; round < @ROUNDS@; ++round) {
      if (!gate_conformance::run(gate_conformance::runs[i], memory, zone)) return 4;
      std::fflush(stdout);
    }
  }
  return 0;
}
"""


class Word:
    """One expected word; as emu_conformance_test.cpp reads it."""

    def __init__(self, text):
        self.text = text
        self.is_nan = text == "nan"
        value, _, ulps = text.partition("~")
        self.ulps = int(ulps) if ulps else 0
        if self.is_nan:
            self.bits = 0
        elif value.endswith("f") and not value.startswith("0x"):
            self.bits = struct.unpack("<I", struct.pack("<f", float(value[:-1])))[0]
        else:
            self.bits = int(value, 0) & 0xFFFFFFFF

    def accepts(self, bits):
        if self.is_nan:
            return bits & 0x7FFFFFFF > 0x7F800000
        return abs(bits - self.bits) <= self.ulps


def read_snippets(file):
    snippets = []
    for line in file.read_text().splitlines():
        match = re.fullmatch(r"// (snippet|launch|expect): (.*)", line)
        if not match:
            continue
        word, rest = match.groups()
        if word == "snippet":
            snippets.append({"name": rest.strip(), "grid": "1", "block": "1", "shared": "0",
                             "expected": []})
        elif word == "launch":
            snippets[-1].update(part.split("=") for part in rest.split())
        else:
            snippets[-1]["expected"] += [Word(text) for text in rest.split()]
    return snippets


def program_text(file, snippets):
    runs = "".join('    {{"{name}", (const void*){name}, dim3({grid}), dim3({block}), {shared}, '
                   "{words}}},\n".format(words=len(s["expected"]), **s) for s in snippets)
    text = PROGRAM.replace("@FILE@", str(file)).replace("@RUNS@", runs)
    return text.replace("@ZONE@", str(RED_ZONE_WORDS)).replace("@ROUNDS@", str(ROUNDS))


def nvcc_path():
    toolkit = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin" / "nvcc"
    return str(toolkit) if toolkit.exists() else shutil.which("nvcc")


def compile_file(nvcc, architecture, file, folder):
    """(snippets, program or None, message)."""
    snippets = read_snippets(file)
    source, program = folder / f"{file.stem}_program.cu", folder / file.stem
    source.write_text(program_text(file, snippets))
    run = subprocess.run([nvcc, f"-arch={architecture}", "-std=c++17", "-O2", "-w", "-o",
                          str(program), str(source)], capture_output=True, text=True)
    return snippets, program if run.returncode == 0 else None, (run.stdout + run.stderr)[-2000:]


def complaint(snippet, words, intact):
    """What is wrong with one run; None if nothing."""
    if not intact:
        return "wrote outside its words"
    for number, (expected, got) in enumerate(zip(snippet["expected"], words)):
        if not expected.accepts(got):
            return f"word {number} is 0x{got:08x}, expected {expected.text}"
    return None


def run_program(snippets, program):
    """Runs all snippets of one program; a failing one does not take the others with it."""
    complaints, first = {}, 0
    while first < len(snippets):
        try:
            run = subprocess.run([str(program), str(first)], stdout=subprocess.PIPE, text=True,
                                 timeout=PROGRAM_SECONDS_MAX)
            output, ended = run.stdout, f"ended with {run.returncode}"
        except subprocess.TimeoutExpired as late:
            output, ended = (late.stdout or b"").decode(), "does not end"
        runs, started = {}, first
        for line in output.splitlines():
            word, name, *rest = line.split(" ")
            if word == "begin":
                started = next(i for i, s in enumerate(snippets) if s["name"] == name)
                runs[name] = 0
            elif word == "ran":
                runs[name] += 1
                wrong = complaint(snippets[started], [int(w, 16) for w in rest[1:]],
                                  rest[0] == "1")
                if wrong:
                    complaints.setdefault(name, f"round {runs[name]}: {wrong}")
            elif word == "failed":
                ended = " ".join(rest)
        if not runs:                       # not one began: the machine's fault
            return {s["name"]: f"not run: {ended}" for s in snippets[first:]} | complaints
        name = snippets[started]["name"]
        if runs[name] < ROUNDS:
            complaints.setdefault(name, ended)
        first = started + 1
    return complaints


def check(architecture, compile_only=False):
    """Figures of part `conformance`: rows, equal ones, and what differs."""
    nvcc = nvcc_path()
    if nvcc is None:
        return {"conformance_rows": None, "conformance_reason": "no nvcc"}
    files = sorted(FOLDER.glob("*.cu"))
    differing, rows = {}, 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiled = list(pool.map(
            lambda file: compile_file(nvcc, architecture, file, pathlib.Path(folder)), files))
        for file, (snippets, program, message) in zip(files, compiled):
            rows += len(snippets)
            if program is None:
                complaints = {s["name"]: f"not compiled: {message}" for s in snippets}
            else:
                complaints = {} if compile_only else run_program(snippets, program)
            differing.update({f"{file.stem}/{name}": text for name, text in complaints.items()})
    return {"conformance_rows": rows, "conformance_equal": rows - len(differing),
            "conformance_architecture": architecture,
            "conformance_differing": [{"snippet": name, "what": text}
                                      for name, text in sorted(differing.items())]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--architecture", default="native", help="sm_90 …; default: the machine's")
    parser.add_argument("--compile-only", action="store_true")
    options = parser.parse_args()
    result = check(options.architecture, options.compile_only)
    print(json.dumps(result, indent=1))
    return 0 if result["conformance_rows"] and not result["conformance_differing"] else 1


if __name__ == "__main__":
    sys.exit(main())
