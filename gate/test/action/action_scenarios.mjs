// The Action as people meet it, its steps executed for real: red with the seed in the comment,
// fixed in place, known, second bug, policy, shallow clone, fork with a read-only token, wrong
// inputs. Arguments: source tree, gate program, folder of this run, sandbox, further inputs (JSON),
// transcript file.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, filesBelow, finish, leg, Stage } from './scenario.mjs';

const [source, gate, root, sandbox, inputs, transcriptFile] = process.argv.slice(2);
const stage = await Stage.open({ root, source,
  with: { sandbox, ...JSON.parse(inputs) } });
const { sample, site } = stage;
const smallest = path.join(source, '.github/workflow-examples/smallest.yml');
const required = ['illusion gate'];
const transcript = [`# The Action's steps, sandbox: ${sandbox}`, ''];

let at;
let comment;

function tell(title, run, it) {
  const said = it.machine.log.filter((line) => line.startsWith('illusion gate: '));
  transcript.push(`## ${title}: ${run.results.gate.result}`, '',
    ...it.machine.ran.map((step) => `    ${step.outcome.padEnd(8)} ${step.name}`), '',
    ...said.map((line) => `    ${line.replaceAll(root, '<root>')
      .replaceAll(source, '<illusion-gate>')}`), '');
  console.log(`${title}: ${run.results.gate.result}, ${run.seconds} s`);
}

/// Runs the workflow for a pull request and looks at what must hold for every run.
async function pull(title, number, branch, options = {}) {
  const run = await stage.pull(options.file ?? smallest, number, branch, options);
  const it = leg(run, 'gate');
  tell(title, run, it);
  const foreign = it.machine.commands.filter((each) => !['error', 'notice'].includes(each.name));
  expect(foreign.length === 0, `${title}: only commands of ours`, JSON.stringify(foreign));
  expect(!it.log.includes(site.token), `${title}: no token in the log`);
  const command = it.machine.log.find((line) => line.startsWith('illusion gate: command: ')) ?? '';
  expect(!/GITHUB|TOKEN/i.test(command), `${title}: no token where kernels run`, command);
  return { ...it, run, red: run.results.gate.result !== 'success',
    code: Number(/verdict: \w+ \(exit code (\d+)\)/.exec(it.log)?.[1] ?? -1) };
}

function artifact(run, ending) {
  const name = filesBelow(run.artifacts).find((each) => each.endsWith(ending));
  return name ? path.join(run.artifacts, name) : null;
}

/// What the container was started with, and what gate doctor saw inside one of the same flags.
function checkContainer(machine) {
  const command = machine.log.find((line) => line.startsWith('illusion gate: command: ')) ?? '';
  for (const flag of ['--network none', '--read-only', '--cap-drop ALL', '--pids-limit 512',
    '--security-opt no-new-privileges', '/docker/seccomp.json', 'tmpfs /tmp:rw\\,exec',
    ':/repository:ro', ':/policy:ro']) {
    expect(command.includes(flag), `the container has ${flag}`, command);
  }
  expect(!/GITHUB|TOKEN|docker\.sock|privileged /.test(command), 'and nothing else', command);
  const log = filesBelow(machine.temp).find((each) => each.endsWith('log/probe.log'));
  const seen = log ? readFileSync(path.join(machine.temp, log), 'utf8') : '';
  for (const probe of ['user', 'no capabilities', 'no new privileges', 'system call filter',
    'read-only root', 'exec in the cache', 'no network', 'no secrets', 'no engine socket']) {
    expect(new RegExp(`^  ${probe} +ok `, 'm').test(seen), `inside: ${probe}`, seen);
  }
  transcript.push('Seen from inside:', '', ...seen.split('\n').map((line) => `    ${line}`), '');
}

/// A bug that the base has, and a second one beside it.
async function knownBugs() {
  // Main has the bug; that it is known is policy: a pull request says so with the label.
  site.branch('known-base');
  sample.addBadKernel();
  site.push('main', 'A bug');
  site.branch('accepted');
  execFileSync(gate, ['seeds', 'accept', seedFile, '--root', sample.folder, '--status', 'known',
    '--reason', 'being rewritten', '--owner', 'someone', '--expires', '2099-01-01']);
  site.push('accepted', 'Live with it for a while');
  at = await pull('a seed that says known, with the label', 6, 'accepted',
    { labels: ['gate-policy-approved'] });
  expect(at.code === 0 && !at.red, 'a maintainer lets a bug of main be known', at.log);
  expect(site.merge(6, required).status === 200, 'and it is merged');

  site.branch('readme');
  sample.write('README.md', '# Kernels, documented\n');
  site.push('readme', 'Documentation');
  at = await pull('a known bug', 2, 'readme');
  expect(at.code === 0 && !at.red, 'a known bug: green', at.log);
  const note = stage.comments(2)[0]?.body ?? '';
  expect(/0 new, 1 known/.test(note) && note.includes('known: softmax/row'), 'with a note', note);

  // A second bug in the kernel with the known one.
  site.branch('second');
  sample.addSecondBug();
  site.push('second', 'Skip the tail');
  at = await pull('a second bug', 3, 'second');
  expect(at.code === 1 && at.red, 'a second bug: red', at.log);
}

// The base: an op with a good kernel.
sample.start();
sample.addGoodKernel();
site.push('main', 'An op and a kernel');

// A pull request with a buggy kernel.
site.branch('bad');
sample.addBadKernel();
site.push('bad', 'A faster softmax');
at = await pull('a buggy kernel', 1, 'bad');
expect(at.code === 1 && at.red, 'a buggy kernel: red', at.log);
[comment] = stage.comments(1);
expect(comment?.body.includes('ig1:'), 'the comment has the token', comment?.body);
expect(/fingerprint = "[0-9a-f]{32}"/.test(comment?.body ?? ''), 'and the seed as TOML');
expect(at.summary.includes('Illusion gate: fail'), 'the summary says fail', at.summary);
for (const name of ['results.json', 'junit.xml', 'illusion-gate.sarif', 'comment.md',
  'report.md', '.toml', 'run-log.txt']) {
  expect(artifact(at.run, name), `the artifact has ${name}`, filesBelow(at.run.artifacts).join());
}
expect(site.merge(1, required).status === 405, 'the pull request cannot be merged');
const seedFile = artifact(at.run, '.toml');
if (sandbox !== 'process') checkContainer(at.machine);

// The fix: green, and the same comment says so.
sample.addGoodKernel();
site.push('bad', 'Pad lanes hold minus infinity');
at = await pull('the fix', 1, 'bad');
expect(at.code === 0 && !at.red, 'the fix: green', at.log);
expect(stage.comments(1).length === 1, 'no second comment');
[comment] = stage.comments(1);
expect(comment?.edits === 1 && comment.body.includes('Illusion gate: pass'),
  'the comment was updated in place', comment?.body);
expect(site.merge(1, required).status === 200, 'now it can be merged');

await knownBugs();

// A pull request that changes nothing of the gate's.
site.branch('readme');
sample.write('README.md', '# Kernels, documented\n');
site.push('readme', 'Documentation');

// A pull request that loosens a tolerance; then the same with the maintainer's label.
site.branch('loose');
sample.edit('tolerances/softmax.toml', 'c = 1', 'c = 100');
site.push('loose', 'Tolerances');
at = await pull('a loosened tolerance', 4, 'loose');
expect(at.code === 1 && at.red, 'a loosened tolerance: red', at.log);
at = await pull('the same with the label', 4, 'loose', { labels: ['gate-policy-approved'] });
expect(at.code === 0 && !at.red, 'with the label: green', at.log);

// A shallow clone has no base to read policy from.
const shallow = path.join(root, 'shallow.yml');
writeFileSync(shallow, readFileSync(smallest, 'utf8').replace('fetch-depth: 2', 'fetch-depth: 1'));
at = await pull('a shallow clone', 2, 'readme', { file: shallow });
expect(at.code === 3 && at.red, 'a shallow clone: exit 3', at.log);
expect(at.machine.commands.some((each) => /fetch-depth/.test(each.text)), 'and what to do');

// A fork: the token can only read. Verdict and summary stay, nobody tries to comment.
site.readOnly = true;
site.branch('fork');
sample.addSecondBug();
site.push('fork', 'From a stranger');
const before = site.requests.length;
at = await pull('a fork', 5, 'fork', { fork: true });
expect(at.code === 1 && at.red, 'a fork: the verdict stands', at.log);
expect(at.summary.includes('Illusion gate: fail'), 'a fork: the summary is written', at.summary);
expect(site.requests.length === before, 'a fork: nothing is asked of the interface');
site.readOnly = false;

// Wrong inputs are user errors, not passes.
const wrong = path.join(root, 'wrong.yml');
for (const [from, to] of [['device: emu', 'device: gpu'], ['kernels: kernels', 'kernels: ../x'],
  ['device: emu', 'device: emu\n          out-dir: ${{ github.workspace }}/out']]) {
  writeFileSync(wrong, readFileSync(smallest, 'utf8').replace(from, to));
  at = await pull(`wrong input (${to.replace(/\s+/g, ' ')})`, 2, 'readme', { file: wrong });
  expect(at.red, `wrong input is red: ${to}`, at.log);
}

stage.close();
if (transcriptFile) writeFileSync(transcriptFile, `${transcript.join('\n')}\n`);
finish();
