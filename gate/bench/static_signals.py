#!/usr/bin/env python3
# Static signals of the corpus pairs, without a GPU: PTX by NVRTC, registers, spills and shared
# memory by ptxas, and a diff of canonicalised PTX between a buggy kernel and its control. Advisory:
# says which bugs such a pre-filter sees and which compile to the same PTX; decides nothing.
# SPDX-License-Identifier: Apache-2.0
"""usage: static_signals.py [--arch sm_90] [--out gate/bench/results/static_signals]"""
import argparse
import ctypes
import difflib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

# What NVRTC's own headers lack; the worker gives kernels the same (gate/device/cuda/rtc_headers.h).
PRELUDE = """#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
"""
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Nvrtc:
    """The few calls of NVRTC that compiling one entry takes."""

    def __init__(self, toolkit):
        found = sorted((toolkit / "lib64").glob("libnvrtc.so*"))
        if not found:
            raise OSError(f"no libnvrtc below {toolkit}")
        self.library = ctypes.CDLL(str(found[0]))
        self.include = str(toolkit / "include")

    def _check(self, status, program, what):
        if status == 0:
            return
        size = ctypes.c_size_t()
        self.library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        self.library.nvrtcGetProgramLog(program, log)
        raise RuntimeError(f"{what}: {log.value.decode(errors='replace')[:2000]}")

    def ptx(self, source, entry, arch, defines):
        """PTX of one entry (template instances allowed) and its lowered name."""
        lib, program = self.library, ctypes.c_void_p()
        text = (PRELUDE + source).encode()
        lib.nvrtcCreateProgram(ctypes.byref(program), text, b"kernel.cu", 0, None, None)
        name = entry.encode()
        lib.nvrtcAddNameExpression(program, name)
        words = [f"--gpu-architecture={arch.replace('sm', 'compute')}", "--std=c++17",
                 f"-I{self.include}"]
        words += [f"-D{define}" for define in defines]
        options = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        self._check(lib.nvrtcCompileProgram(program, len(words), options), program, entry)
        lowered = ctypes.c_char_p()
        lib.nvrtcGetLoweredName(program, name, ctypes.byref(lowered))
        size = ctypes.c_size_t()
        lib.nvrtcGetPTXSize(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        lib.nvrtcGetPTX(program, text)
        result = text.value.decode(), lowered.value.decode()
        lib.nvrtcDestroyProgram(ctypes.byref(program))
        return result


def entry_body(ptx, lowered):
    """Lines of the entry alone, without comments and debug directives."""
    start = re.search(r"\.(?:visible|weak)?\s*\.?entry\s+" + re.escape(lowered), ptx)
    text = ptx[start.start():] if start else ptx
    depth, end = 0, len(text)
    for i, c in enumerate(text):
        if c == "{":
            depth += 1
        if c == "}":
            depth -= 1
            if depth == 0:
                end = i + 1
                break
    lines = []
    for line in text[:end].splitlines():
        line = re.sub(r"//.*", "", line).strip()
        if line and not line.startswith((".loc", ".file", ".section")):
            lines.append(line)
    return lines


def canonical(lines, lowered, keep_immediates, keep_order=False):
    """Without names: registers, labels and variables by their class, or numbered by order of
    appearance where `keep_order`; optionally without numbers."""
    names, result = {}, []

    def rename(match):
        word = match.group(0)
        kind = "%" + re.sub(r"\d+$", "", word[1:]) if word[0] == "%" else "$"
        return names.setdefault(word, f"{kind}{len(names)}") if keep_order else kind

    for line in lines:
        line = line.replace(lowered, "ENTRY")
        if line.startswith(".reg"):
            continue
        line = re.sub(r"%[a-z]+\d+|\$L_\w+|_Z\w+", rename, line)
        if not keep_immediates:
            line = re.sub(r"(?<![\w%$.])(?:0[fdFD][0-9a-fA-F]+|-?\d+)\b", "IMM", line)
        result.append(line)
    return result


def is_instruction(line):
    return re.match(r"(?:@!?%p\d+\s+)?[a-z][a-z0-9_.]*(?:\s|;)", line) is not None


def ptxas(toolkit, text, arch, lowered):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernel.ptx"
        path.write_text(text)
        words = [str(toolkit / "bin" / "ptxas"), "-v", f"-arch={arch}", str(path), "-o",
                 str(path.with_suffix(".cubin"))]
        run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(run.stderr[:2000])
    part = run.stderr[run.stderr.find(lowered):]
    number = lambda form: int((re.search(form, part) or [0, 0])[1])
    return {"registers": number(r"Used (\d+) registers"),
            "spill_stores": number(r"(\d+) bytes spill stores"),
            "spill_loads": number(r"(\d+) bytes spill loads"),
            "stack": number(r"(\d+) bytes stack frame"),
            "shared": number(r"(\d+) bytes smem")}


def signals(toolkit, nvrtc, toml, column, arch):
    spec = tomllib.loads(toml.read_text())
    source = (toml.parent / spec["kernel"]["source"]).read_text()
    defines = spec["kernel"].get("defines", {}).get(column, [])
    entry = spec["entry"][column]
    text, lowered = nvrtc.ptx(source, entry, arch, defines)
    lines = entry_body(text, lowered)
    facts = ptxas(toolkit, text, arch, lowered)
    facts["instructions"] = sum(is_instruction(line) for line in lines)
    declared = re.findall(r"\.reg .*<(\d+)>", "\n".join(lines))
    facts["virtual_registers"] = sum(int(count) - 1 for count in declared)
    texts = {keep: canonical(lines, lowered, keep) for keep in (True, False)}
    texts["exact"] = canonical(lines, lowered, True, keep_order=True)
    return facts, texts


def pairs():
    """Buggy kernels of the corpus in CUDA C++, each with its control in the same folder."""
    for toml in sorted(ROOT.glob("testcases/*/kernels/*_buggy.toml")):
        spec = tomllib.loads(toml.read_text())
        if spec["kernel"].get("corpus") != "paper":
            continue
        control = toml.with_name(toml.name.replace("_buggy", ""))
        yield toml, control if control.exists() else None


def published_delta(buggy):
    """What the paper printed for this pair: registers, instructions; None where it did not."""
    facts = json.loads((buggy.parents[1] / "study.json").read_text())
    return facts["kernels"].get(buggy.stem, {}).get("published", {}).get("ptx_delta")


def compare(toolkit, nvrtc, buggy, control, column, arch):
    facts_b, text_b = signals(toolkit, nvrtc, buggy, column, arch)
    facts_c, text_c = signals(toolkit, nvrtc, control, column, arch)
    row = {"kernel": buggy.stem, "control": control.stem, "column": column,
           "buggy": facts_b, "base": facts_c,
           "published_delta": published_delta(buggy),
           "delta": {key: facts_b[key] - facts_c[key] for key in facts_b}}
    for keep, name in ((True, "diff_lines"), (False, "diff_lines_without_immediates")):
        diff = difflib.unified_diff(text_c[keep], text_b[keep], lineterm="", n=0)
        row[name] = sum(line[0] in "+-" and not line.startswith(("+++", "---")) for line in diff)
    row["same_ptx"] = text_b["exact"] == text_c["exact"]
    row["same_but_for_immediates"] = row["diff_lines_without_immediates"] == 0
    row["seen_by_counts"] = any(row["delta"].values())
    return row


def markdown(result):
    lines = ["# Static signals of the corpus pairs", "",
             f"PTX by NVRTC, registers by ptxas, {result['arch']}, toolkit {result['toolkit']}. "
             "Buggy minus control. A pre-filter at most: it decides nothing.", "",
             "| bug | column | Δ registers | Δ spills | Δ shared | Δ instructions | "
             "Δ virtual registers | PTX lines that differ | without immediates | same PTX | "
             "seen by counts | published Δ virtual registers, Δ instructions (Triton) |",
             "| --- " * 12 + "|"]
    for row in result["rows"]:
        if "delta" not in row:
            lines.append(f"| {row['kernel']} | - | {row['reason']} | | | | | | | |")
            continue
        d, pair = row["delta"], row["published_delta"]
        printed = "-" if pair is None else f"{pair[0]:+}, {pair[1]:+}"
        lines.append(f"| {row['kernel']} | {row['column']} | {d['registers']:+} | "
                     f"{d['spill_stores'] + d['spill_loads']:+} | {d['shared']:+} | "
                     f"{d['instructions']:+} | {d['virtual_registers']:+} | {row['diff_lines']} | "
                     f"{row['diff_lines_without_immediates']} | "
                     f"{'yes' if row['same_ptx'] else 'no'} | "
                     f"{'yes' if row['seen_by_counts'] else 'no'} | {printed} |")
    seen = {row["kernel"] for row in result["rows"] if row.get("seen_by_counts")}
    same = {row["kernel"] for row in result["rows"] if row.get("same_ptx")}
    counted = {row["kernel"] for row in result["rows"] if "delta" in row}
    lines += ["", f"Counts change in {len(seen)} of {len(counted)} pairs; the canonicalised text "
              f"in {len(counted) - len(same)}; the same PTX in {len(same)}.", "",
              "Published, Triton pairs on five GPUs: registers or instructions change in 7 of 9 "
              "pairs; leaky_relu and softmax change neither.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--toolkit", type=pathlib.Path, default=pathlib.Path("/usr/local/cuda"))
    parser.add_argument("--columns", default="f32,f16")
    parser.add_argument("--out", type=pathlib.Path,
                        default=ROOT / "gate/bench/results/static_signals")
    options = parser.parse_args()
    result = {"version": 1, "arch": options.arch, "rows": None}
    try:
        nvrtc = Nvrtc(options.toolkit)
    except OSError as error:
        result |= {"toolkit": None, "reason": f"no CUDA toolkit: {error}"}
        options.out.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n")
        print(result["reason"])
        return 0
    version = subprocess.run([str(options.toolkit / "bin" / "ptxas"), "--version"],
                             capture_output=True, text=True).stdout
    result["toolkit"] = (re.search(r"release ([\d.]+)", version) or [0, "unknown"])[1]
    result["rows"] = []
    for buggy, control in pairs():
        spec = tomllib.loads(buggy.read_text())
        if control is None or not spec["kernel"]["source"].endswith(".cu"):
            result["rows"].append({"kernel": buggy.stem, "reason": "host C++ stand-in: no PTX"})
            continue
        for column in options.columns.split(","):
            row = compare(options.toolkit, nvrtc, buggy, control, column, options.arch)
            result["rows"].append(row)
    options.out.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n")
    options.out.with_suffix(".md").write_text(markdown(result))
    print(options.out.with_suffix(".md"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
