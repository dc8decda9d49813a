// A user's repository with one op: its files, and edits of them as people (and models) make them.
// Kernels come from this repository's own corpus, without expectations.
// SPDX-License-Identifier: Apache-2.0
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const kernelToml = `[kernel]
op = "softmax"
source = "row_softmax.cu"
[entry]
f32 = "softmax<float>"
[[launch]]
args  = ["x", "y", "cols", "next_pow2(cols)", "x.stride(0):i64", "x.stride(1):i64",
         "y.stride(0):i64", "y.stride(1):i64"]
grid  = ["rows"]
block = ["min(max(next_pow2(cols), 32), 1024)"]
`;

const config = `[paths]
ops = ["kernels"]
tolerances = "tolerances"
seeds = "seeds"
[profiles.pr]
entries = 16
confirm_runs = 3
shrink_executions = 100
`;

export class SampleRepository {
  constructor(folder, source) {
    this.folder = folder;
    this.source = source;
    this.kernel = path.join(folder, 'kernels/softmax/kernels/row_softmax.cu');
  }

  file(name) { return path.join(this.folder, name); }

  write(name, text) {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), text);
  }

  edit(name, from, to) {
    const text = readFileSync(this.file(name), 'utf8');
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    writeFileSync(this.file(name), text.replaceAll(from, to));
  }

  /// Everything but a kernel.
  start() {
    const op = path.join(this.source, 'testcases/softmax');
    this.write('gate.toml', config);
    for (const name of ['op.toml', 'reference.cpp']) {
      mkdirSync(this.file('kernels/softmax/kernels'), { recursive: true });
      cpSync(path.join(op, name), this.file(`kernels/softmax/${name}`));
    }
    this.write('tolerances/softmax.toml', readFileSync(
      path.join(this.source, 'tolerances/softmax.toml'), 'utf8'));
    this.write('README.md', '# Kernels\n');
  }

  source_of(name) {
    return readFileSync(path.join(this.source, `testcases/softmax/kernels/${name}.cu`), 'utf8');
  }

  addGoodKernel() {
    this.write('kernels/softmax/kernels/row_softmax.toml', kernelToml);
    writeFileSync(this.kernel, this.source_of('softmax_cuda'));
  }

  addBadKernel() {
    this.write('kernels/softmax/kernels/row_softmax.toml', kernelToml);
    writeFileSync(this.kernel, this.source_of('softmax_cuda_buggy'));
  }

  /// Rows of more than 40 columns keep their last element unwritten.
  addSecondBug() {
    this.edit('kernels/softmax/kernels/row_softmax.cu', 'col < cols; col += blockDim.x) {',
      'col < cols - (cols > 40); col += blockDim.x) {');
  }
}
