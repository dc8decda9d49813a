// The big example workflow: emulator and GPU classes in shards, one verdict, publishing from
// another job; a shard that is missing, a result that is hostile, a fork's run published by
// workflow_run, a run that is cancelled. GPU legs run on the emulator here, under their own
// class names. Arguments: source tree, folder of this run, sandbox, further inputs (JSON).
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, filesBelow, finish, leg, Stage } from './scenario.mjs';

const [source, root, sandbox, inputs] = process.argv.slice(2);
const stage = await Stage.open({ root, source,
  with: { sandbox, ...JSON.parse(inputs) } });
const { sample, site } = stage;
const examples = path.join(source, '.github/workflow-examples');

/// The example with one GPU class, which has no GPU: everything else stays as it is.
const workflow = path.join(root, 'illusion-gate.yml');
writeFileSync(workflow, readFileSync(path.join(examples, 'illusion-gate.yml'), 'utf8')
  .replace('class: [h200, l4]', 'class: [h200]').replace('device: cuda', 'device: emu')
  .replace('emulator,h200,l4', 'emulator,h200').replace('not-run: b200', 'not-run: l4,b200'));

const codeOf = (it) => Number(/verdict: \w+ \(exit code (\d+)\)/.exec(it.log)?.[1] ?? -1);
function tell(title, run) {
  console.log(`${title}: ${JSON.stringify(Object.fromEntries(Object.entries(run.results)
    .map(([id, result]) => [id, result.result])))}, ${run.seconds} s`);
}

sample.start();
sample.addGoodKernel();
site.push('main', 'An op and a kernel');

// All there and green: verdict per class, and the classes that were not run are named.
site.branch('same');
sample.write('README.md', '# Kernels, again\n');
site.push('same', 'Documentation');
const { event, head, merge } = site.pullRequest(1, 'same');
let run = await stage.pull(workflow, 1, 'same');
tell('shards and classes', run);
let it = leg(run, 'verdict');
expect(codeOf(it) === 0, 'all shards of all classes: pass', it.log);
expect(run.jobs.emulator.length === 2 && run.jobs.gpu.length === 2, 'two shards each');
expect(/known gap\): l4, b200/.test(it.log), 'classes that were not run are named', it.log);
expect(/`h200`/.test(it.summary) && /not run/.test(it.summary), 'in the summary too', it.summary);
const pieces = filesBelow(run.artifacts).filter((each) => each.endsWith('results.json'));
expect(pieces.length === 5, 'an artifact of each leg and the verdict', pieces.join('\n'));

/// Only the verdict job, over folders of results as they would be downloaded.
const alone = path.join(root, 'verdict.yml');
const text = readFileSync(workflow, 'utf8');
writeFileSync(alone, `${text.slice(0, text.indexOf('\njobs:') + 1)}jobs:\n${
  text.slice(text.indexOf('\n  verdict:\n') + 1, text.indexOf('\n  publish:\n') + 1)
    .replace('    needs: [emulator, gpu]\n', '').replace('    if: always()\n', '')}`);
async function verdictOver(artifacts, change) {
  const facts = site.github('pull_request', event, { sha: merge, ref: 'refs/pull/1/merge',
    run: stage.runs + 1 });
  stage.runs += 1;
  const again = stage.prepare(alone, facts, head);
  execFileSync('cp', ['-R', `${artifacts}/.`, again.artifacts]);
  for (const name of filesBelow(again.artifacts)) {
    if (name.includes('-verdict-')) rmSync(path.join(again.artifacts, name));
  }
  change(again.artifacts);
  await again.run();
  return leg(again, 'verdict');
}
const whole = run.artifacts;
const folderOf = (name) => name.slice(0, name.indexOf('/'));
const lost = folderOf(pieces.find((each) => each.includes('h200-1')));

it = await verdictOver(whole, () => {});
expect(codeOf(it) === 0, 'the verdict job alone says the same', it.log);
it = await verdictOver(whole, (folder) => rmSync(path.join(folder, lost), { recursive: true }));
expect(codeOf(it) === 3 && /1\/2 of class h200/.test(it.log), 'a missing shard: exit 3', it.log);
it = await verdictOver(whole, (folder) => {
  for (const name of pieces) rmSync(path.join(folder, folderOf(name)), { recursive: true,
    force: true });
});
expect(codeOf(it) === 3, 'no results at all: exit 3', it.log);

// Hostile results: links, depth, size, names, commands. Never a pass, never a command of ours.
const file = path.join(lost, 'results.json');
const hostile = {
  'a link': (folder) => { rmSync(path.join(folder, file)); symlinkSync('/etc/passwd',
    path.join(folder, file)); },
  depth: (folder) => writeFileSync(path.join(folder, file), '['.repeat(100000)),
  'another verdict': (folder) => writeFileSync(path.join(folder, file), readFileSync(
    path.join(folder, file), 'utf8').replace('"exit_code": 0', '"exit_code": 99')),
  commands: (folder) => writeFileSync(path.join(folder, file), readFileSync(
    path.join(folder, file), 'utf8').replace(/"program": "[^"]*"/,
    '"program": "x\\n::add-mask::a\\n::error::b\\n\\u001b[31m@everyone"')),
  'odd names': (folder) => {
    mkdirSync(path.join(folder, lost, 'seeds', '..x'), { recursive: true });
    writeFileSync(path.join(folder, lost, 'seeds', '..x', 'a;b.toml'), 'x');
    symlinkSync('/etc/passwd', path.join(folder, lost, 'seeds', 'passwd.toml'));
  },
};
for (const [what, change] of Object.entries(hostile)) {
  it = await verdictOver(whole, change);
  const fine = ['another verdict', 'commands', 'odd names'].includes(what);
  expect(fine ? codeOf(it) === 0 : [2, 3].includes(codeOf(it)), `hostile results (${what})`,
    it.log);
  expect(it.machine.commands.every((each) => each.name !== 'add-mask' && each.text !== 'b'),
    `no command out of them (${what})`, JSON.stringify(it.machine.commands));
  expect(!/@everyone|root:x:/.test(it.summary), `nor a mention or a file (${what})`, it.summary);
}

// A fork's red run, published on workflow_run by the default branch's own workflow.
site.branch('fork');
sample.addBadKernel();
site.push('fork', 'From a stranger');
run = await stage.pull(workflow, 2, 'fork', { fork: true });
tell('a fork', run);
it = leg(run, 'verdict');
expect(codeOf(it) === 1, 'the emulator finds it, the GPU is not bothered', it.log);
expect(run.results.gpu.result === 'skipped' && run.results.publish.result === 'skipped',
  'and nothing is published from there', JSON.stringify(run.results));
expect(stage.comments(2).length === 0, 'no comment yet');
site.publishRun(run, { number: 2, path: '.github/workflows/illusion-gate.yml' });
const completed = { workflow_run: { id: Number(run.github.run_id), event: 'pull_request',
  head_sha: run.headSha }, repository: { full_name: site.repository } };
const publisher = await stage.run(path.join(examples, 'illusion-gate-publish.yml'),
  'workflow_run', completed, { sha: head, ref: 'refs/heads/main' });
tell('its publisher', publisher);
it = leg(publisher, 'publish');
expect(publisher.results.publish.result === 'success', 'the publisher is done', it.log);
expect(stage.comments(2)[0]?.body.includes('ig1:'), 'the fork gets its comment with the seed',
  it.log);

// Cancelled: the runner interrupts the step; no container stays, and the verdict is no pass.
site.branch('slow');
sample.addBadKernel();
sample.edit('gate.toml', 'entries = 16', 'entries = 20000');
site.push('slow', 'Takes long');
run = await stage.pull(path.join(examples, 'smallest.yml'), 3, 'slow', { onChild: (child, step) => {
  if (step.name === 'Run the kernels') setTimeout(() => child.kill('SIGINT'), 6000);
} });
tell('cancelled', run);
it = leg(run, 'gate');
expect(run.results.gate.result === 'failure' && codeOf(it) !== 0, 'cancelled is no pass', it.log);
if (sandbox === 'podman') {
  const left = execFileSync('podman', ['ps', '-a', '--format', '{{.Names}}'], { encoding: 'utf8' });
  expect(!left.includes('illusion-gate-use'), 'no container stays', left);
}
stage.close();
finish();
