// The repository whose policy pull requests try to edit: one small op with two kernels for the
// host, which build in a second; plans of a few entries, as the base's gate.toml says.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './scenario.mjs';

export const good = `extern "C" void relu_f32(const float* x, float* y, long n, long cols) {
  for (long i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : 0;
  (void)cols;
}
extern "C" void relu_f64(const double* x, double* y, long n, long cols) {
  for (long i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : 0;
  (void)cols;
}
`;
export const bad = good.replace('x[i] > 0 ? x[i] : 0',
  'i % cols >= cols / 128 * 128 ? x[i] + 1 : x[i] > 0 ? x[i] : 0');

/// Wrong, and tries to say otherwise: as log commands, and in the files of the results.
export const hostile = `#include <cstdio>
#pragma message("::error::pwned")
struct Early {
  Early() { std::puts("\\n::add-mask::pwned\\n::stop-commands::x"); }
} early;
static void forge() {
  for (const char* name : {"/out/results.json", "/out/junit.xml", "/tmp/pwned"}) {
    if (FILE* file = std::fopen(name, "w")) {
      std::fputs("{}", file);
      std::fclose(file);
    }
  }
  std::puts("\\n::error::pwned");
}
${bad.replaceAll('  for (', '  forge();\n  for (')}`;

const config = `[paths]
ops = ["kernels"]
tolerances = "tolerances"
seeds = "seeds"
[profiles.pr]
entries = 6
confirm_runs = 2
shrink_executions = 20
`;
const op = `[op]
name = "relu"
summary = "max(x, 0)"
[axes]
rows = { min = 1, max = 8 }
cols = { min = 1, max = 512 }
[columns]
f32 = { x = "f32", y = "f32" }
f64 = { x = "f64", y = "f64" }
f16 = { x = "f16", y = "f16" }
[inputs.x]
shape = ["rows", "cols"]
values = ["normal", "uniform01"]
[outputs.y]
shape = ["rows", "cols"]
[contract]
nan = "any"
determinism = "bitwise"
[fixed_shape]
rows = 4
cols = 256
`;
const launch = `[[launch]]
args = ["x", "y", "rows * cols:i64", "cols:i64"]
`;

/// Writes the base through `write(name, text)`.
export function layOut(sample) {
  sample.write('gate.toml', config);
  sample.write('kernels/relu/op.toml', op);
  cpSync(path.join(sample.source, 'testcases/relu/reference.cpp'),
    sample.file('kernels/relu/reference.cpp'));
  sample.write('tolerances/relu.toml',
    'op = "relu"\n[f32]\nc = 1\nexact = true\n[f64]\nc = 1\nexact = true\n');
  sample.write('kernels/relu/kernels/good.toml', `[kernel]\nop = "relu"\nsource = "good.cpp"\n${
    ''}[entry]\nf32 = "relu_f32"\nf64 = "relu_f64"\n${launch}`);
  sample.write('kernels/relu/kernels/good.cpp', good);
  sample.write('kernels/relu/kernels/spare.toml', `[kernel]\nop = "relu"\nsource = "spare.cpp"\n${
    ''}corpus = "field"\n[entry]\nf32 = "relu_f32"\n${launch}[domain]\nconstraints = ${
    '["cols >= 1"]'}\n[expect]\nclass = "clean"\n`);
  sample.write('kernels/relu/kernels/spare.cpp', good);
}

/// Breaks a kernel, lets the gate find it, and gives the name of the seed it writes when it is told
/// to accept the finding. The kernel is left broken.
export function accept(gate, sample, kernel, status) {
  sample.write(`kernels/relu/kernels/${kernel}.cpp`, bad);
  const found = path.join(sample.folder, '..', `found-${kernel}`);
  const file = `kernels/relu/kernels/${kernel}.toml`;
  const ran = spawnSync(gate, ['run', file, '--device', 'host', '--ignore-expect', '--seeds-out',
    found], { cwd: sample.folder, encoding: 'utf8' });
  if (ran.status !== 1) throw new Error(`the broken kernel is not red: ${ran.stdout}${ran.stderr}`);
  const more = status === 'known'
    ? ['--reason', 'r', '--owner', 'o', '--expires', '2099-01-01'] : [];
  execFileSync(gate, ['seeds', 'accept', found, '--root', sample.folder, '--status', status,
    ...more], { stdio: ['ignore', 'pipe', 'pipe'] });
  return filesBelow(sample.file('seeds')).map((name) => `seeds/${name}`)
    .find((name) => readFileSync(sample.file(name), 'utf8').includes(`"${kernel}"`));
}
