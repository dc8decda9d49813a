// Pull requests that try to lower what the gate demands of them, through the Action's own steps:
// red each, with a message that names the file and what it would have excused; and changes that do
// not, which are judged by their kernels. Arguments: source tree, gate program, folder of this run,
// sandbox, further inputs (JSON), transcript file to add to.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync }
  from 'node:fs';
import path from 'node:path';
import { accept, bad, good, hostile, layOut } from './policy_repository.mjs';
import { expect, finish, leg, Stage } from './scenario.mjs';
import { git } from './workflow.mjs';

const [source, gate, root, sandbox, inputs, transcriptFile] = process.argv.slice(2);
const table = ['## What a pull request cannot decide about itself', '',
  '| the pull request changes | exit code | says |', '|---|--:|---|'];
const stage = await Stage.open({ root, source,
  with: { sandbox, ...JSON.parse(inputs) } });
const { sample, site } = stage;
const workflow = path.join(root, 'workflow.yml');
writeFileSync(workflow, readFileSync(
  path.join(source, '.github/workflow-examples/smallest.yml'), 'utf8'));

const kernels = 'kernels/relu/kernels';
const remove = (name) => rmSync(sample.file(name), { recursive: true });
const append = (name, text) => writeFileSync(sample.file(name), text, { flag: 'a' });
function linkTo(name, elsewhere) {
  mkdirSync(path.dirname(sample.file(elsewhere)), { recursive: true });
  renameSync(sample.file(name), sample.file(elsewhere));
  symlinkSync(path.relative(path.dirname(sample.file(name)), sample.file(elsewhere)),
    sample.file(name));
}

layOut(sample);
const seed = accept(gate, sample, 'good', 'fixed');
sample.write(`${kernels}/good.cpp`, good);
site.push('main', 'Two kernels');

/// Each: title, what the pull request does, its exit code, and what must be said of it.
const loosening = [
  ['a tolerance', () => sample.edit('tolerances/relu.toml', 'c = 1\nexact = true\n[f64]',
    'c = 50\n[f64]'), 'tolerances/relu.toml:3: c of f32 is changed from 1 to 50'],
  ['the reference', () => sample.edit('kernels/relu/reference.cpp', 'namespace',
    '// lenient\nnamespace'), 'kernels/relu/reference.cpp:'],
  ['[expect]', () => sample.edit(`${kernels}/spare.toml`, 'class = "clean"',
    'class = "illusion"\nbug = "none"'), '[expect] of f32 is changed: illusion'],
  ['[domain]', () => sample.edit(`${kernels}/spare.toml`, '"cols >= 1"', '"cols % 128 == 0"'),
    '[domain] has a new constraint: cols % 128 == 0'],
  ['a known seed', () => accept(gate, sample, 'spare', 'known'),
    'a new seed says that its failure is known'],
  ['a new [expect]', () => {
    sample.write(`${kernels}/good.cpp`, bad);
    sample.edit(`${kernels}/good.toml`, '[entry]', 'corpus = "field"\n[entry]');
    append(`${kernels}/good.toml`, '[expect]\nclass = "illusion"\nbug = "none"\n');
  }, '[expect] of f32 is new: illusion'],
  ['a nearer gate.toml', () => sample.write('kernels/relu/gate.toml',
    '[profiles.pr]\nentries = 1\n'), 'a gate.toml below the one of the base'],
  ['a loose tolerance row', () => append('tolerances/relu.toml', '[f16]\nc = 50\n'),
    'a new tolerance row for f16 above the default: c = 50'],
  ['a deleted seed', () => remove(seed), 'is deleted (would have excused its failure)'],
  ['a deleted column', () => sample.edit(`${kernels}/good.toml`, 'f64 = "relu_f64"\n', ''),
    'column f64 is deleted'],
  ['a deleted kernel', () => remove(`${kernels}/spare.toml`), 'kernel relu/spare is deleted'],
  ['a smaller plan', () => sample.edit('gate.toml', 'entries = 6', 'entries = 1'),
    'gate.toml:6: profiles.pr.entries is changed from 6 to 1'],
  ['[paths]', () => {
    sample.edit('gate.toml', 'tolerances = "tolerances"', 'tolerances = "mine"');
    sample.write('mine/relu.toml', 'op = "relu"\n[f32]\nc = 50\n[f64]\nc = 50\n');
  }, 'paths.tolerances is changed from "tolerances" to "mine"'],
  ['a deleted gate.toml', () => remove('gate.toml'), 'gate.toml is deleted'],
  ['a narrower op', () => sample.edit('kernels/relu/op.toml', 'max = 512', 'max = 300'),
    'axis cols is changed from 1..512 to 1..300'],
  ['policy behind a link', () => {
    linkTo('tolerances', 'elsewhere/rows');
    sample.edit('elsewhere/rows/relu.toml', 'c = 1\nexact = true\n[f64]', 'c = 50\n[f64]');
  }, 'c of f32 is changed from 1 to 50'],
  ['a name in other case', () => renameSync(sample.file(`${kernels}/spare.toml`),
    sample.file(`${kernels}/Spare.toml`)), 'kernel relu/spare is deleted'],
  ['a kernel of another op', () => {
    cpSync(sample.file('kernels/relu'), sample.file('kernels/mine'), { recursive: true });
    sample.edit('kernels/mine/op.toml', '"relu"', '"mine"');
    for (const name of ['good', 'spare']) {
      sample.edit(`kernels/mine/kernels/${name}.toml`, '"relu"', '"mine"');
    }
    sample.write('tolerances/mine.toml', 'op = "mine"\n[f32]\nc = 1\n[f64]\nc = 1\n');
    remove(`${kernels}/spare.toml`);
  }, 'kernel relu/spare is deleted'],
  ['a source the device cannot run', () => {
    renameSync(sample.file(`${kernels}/spare.cpp`), sample.file(`${kernels}/spare.ptx`));
    sample.edit(`${kernels}/spare.toml`, 'spare.cpp', 'spare.ptx');
    sample.edit(`${kernels}/spare.toml`, '"cols:i64"]\n',
      '"cols:i64"]\ngrid = ["1"]\nblock = ["1"]\n');
  }, 'kernel relu/spare is not run any more'],
  ['another source beside the wrong one', () => {
    sample.write(`${kernels}/decoy.cpp`, good);
    sample.write(`${kernels}/good.cpp`, bad);
    sample.edit(`${kernels}/good.toml`, 'good.cpp', 'decoy.cpp');
  }, 'good.cpp is still there, and no kernel names it'],
];

/// Judged by what the kernels do: exit code, and what is said.
const judged = [
  ['a renamed entry function', () => {
    sample.edit(`${kernels}/good.cpp`, 'relu_f32', 'positive_part');
    sample.edit(`${kernels}/good.toml`, 'relu_f32', 'positive_part');
  }, 0, ''],
  ['an added column', () => sample.edit(`${kernels}/spare.toml`, 'f32 = "relu_f32"\n',
    'f32 = "relu_f32"\nf64 = "relu_f64"\n'), 0, 'column f64 is new'],
  ['an added column that is wrong', () => {
    sample.write(`${kernels}/spare.cpp`, good.replace(/(relu_f64[^]*?x\[i\]) > 0/, '$1 > 1'));
    sample.edit(`${kernels}/spare.toml`, 'f32 = "relu_f32"\n',
      'f32 = "relu_f32"\nf64 = "relu_f64"\n');
  }, 1, 'relu/spare f64'],
  ['a second kernel with the same source', () => {
    cpSync(sample.file(`${kernels}/good.toml`), sample.file(`${kernels}/twin.toml`));
    sample.write(`${kernels}/good.cpp`, bad);
  }, 1, 'relu/twin'],
  ['attributes and modules of git', () => {
    sample.write('.gitattributes', '* export-ignore\n*.toml -diff linguist-generated\n');
    sample.write('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = https://example.com/x\n');
    sample.write(`${kernels}/good.cpp`, bad);
  }, 1, 'relu/good f32'],
  ['a kernel that writes results and commands', () => sample.write(`${kernels}/good.cpp`, hostile),
    1, 'relu/good f32'],
  ['a source that does not build', () => sample.write(`${kernels}/good.cpp`,
    '#error %0A::error::pwned\n::error::pwned\n'), 1, 'build_failed'],
  ['the folder of the kernels as a link', () => {
    remove(`${kernels}/spare.toml`);
    linkTo('kernels', 'others');
  }, 2, 'the path leads through a link'],
  ['a huge policy file', () => sample.write('tolerances/relu.toml', `op = "relu"\n# ${
    'x'.repeat(70 << 20)}\n`), 2, 'tolerances/relu.toml'],
];

let number = 0;
async function pull({ title, branch, code, said, labels = [] }) {
  number += 1;
  const run = await stage.pull(workflow, number, branch, { labels });
  const it = leg(run, 'gate');
  const got = Number(/verdict: \w+ \(exit code (\d+)\)/.exec(it.log)?.[1] ?? -1);
  console.log(`${title}: exit code ${got}, ${run.seconds} s`);
  table.push(`| ${title} | ${got} | ${said.replaceAll('|', '\\|')} |`);
  expect(got === code, `${title}: exit code ${code}`, it.log);
  expect(it.log.includes(said), `${title}: says "${said}"`, it.log);
  // Markdown is escaped with backslashes, and with blanks of no width.
  const plain = (text) => text.replace(/[\\\u200b]/g, '');
  expect(plain(it.summary).includes(said), `${title}: in the summary`, it.summary);
  expect(!it.machine.commands.some((each) => /pwned|mask|stop/.test(each.name + each.text)),
    `${title}: no command of a kernel's`, JSON.stringify(it.machine.commands));
  const comments = stage.comments(number).map((each) => each.body).join('\n');
  return { ...it, shown: plain(it.summary + comments) };
}

/// One pull request on top of main.
async function attempt(title, change, code, said, labels) {
  const branch = `pr-${number + 1}`;
  site.branch(branch);
  change();
  site.push(branch, title);
  return pull({ title, branch, code, said, labels });
}

for (const [title, change, said] of loosening) {
  const it = await attempt(title, change, 1, said);
  expect(it.log.includes('loosening: '), `${title}: is called loosening`, it.log);
  expect(it.shown.includes('This change loosens what the gate demands'),
    `${title}: shown to people`, it.shown);
}
for (const [title, change, code, said] of judged) await attempt(title, change, code, said);

// What only shows in the second pull request: policy that the base's copy would lack.
site.branch('main');
sample.write('.gitattributes', '*.toml export-ignore\nkernels export-ignore\n');
site.push('main', 'Smaller tarballs');
await attempt('attributes of the base', () => sample.edit('tolerances/relu.toml',
  'c = 1\nexact = true\n[f64]', 'c = 50\n[f64]'), 1, 'c of f32 is changed from 1 to 50');

// A base that cannot be read is never replaced by the head, whoever allows it.
site.branch('main');
const fine = readFileSync(sample.file('gate.toml'), 'utf8');
sample.write('gate.toml', 'paths = [\n');
site.push('main', 'A typing error');
let it = await attempt('a base with a broken TOML, allowed', () => sample.write('gate.toml', fine),
  3, 'base revision:', ['gate-policy-approved']);
expect(it.log.includes('policy is never read from the head instead'), 'and says why', it.log);

site.branch('main');
sample.write('gate.toml', fine);
renameSync(sample.file('kernels'), path.join(root, 'inner'));
const inner = path.join(root, 'inner');
execFileSync('git', ['init', '-q', inner]);
git(inner, 'add', '-A');
git(inner, 'commit', '-q', '-m', 'Kernels');
renameSync(inner, sample.file('kernels'));
git(sample.folder, 'rm', '-rq', '--cached', 'kernels');
site.push('main', 'Kernels as a submodule');
it = await attempt('a submodule of the base', () => {
  rmSync(sample.file('kernels/.git'), { recursive: true });
  git(sample.folder, 'rm', '-rq', '--cached', 'kernels');
  sample.edit('kernels/relu/op.toml', 'max = 512', 'max = 300');
}, 3, 'its folder kernels is empty: a submodule?');

stage.close();
if (transcriptFile) writeFileSync(transcriptFile, `${table.join('\n')}\n`, { flag: 'a' });
finish();
