// README's "Add it to your repository", as a new user would do it: from an empty repository to
// a merge that is refused, the seed replayed on the user's own machine, the fix, and the merge.
// Writes the transcript that is committed. Arguments: source tree, gate program, folder,
// sandbox, inputs.
// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, finish, leg, Stage } from './scenario.mjs';

const [source, gate, root, sandbox, inputs, transcriptFile] = process.argv.slice(2);
const stage = await Stage.open({ root, source,
  with: { sandbox, ...JSON.parse(inputs) } });
const { site } = stage;
const here = site.work;
const lines = [];

function tell(...said) {
  for (const each of said.join('\n').split('\n')) {
    lines.push(each.replaceAll(here, '~/kernels').replaceAll(source, '<illusion-gate>')
      .replaceAll(site.url, 'https://github.example').trimEnd());
  }
}

/// A command as the user types it, in the repository; its output, shortened in the middle.
function type(command, lines_max = 14) {
  const ran = spawnSync('bash', ['-c', command], { cwd: here, encoding: 'utf8', env: {
    ...process.env, PATH: `${path.dirname(gate)}:${process.env.PATH}`, GIT_AUTHOR_NAME: 'Someone',
    GIT_AUTHOR_EMAIL: 'someone@example.com', GIT_COMMITTER_NAME: 'Someone',
    GIT_COMMITTER_EMAIL: 'someone@example.com' } });
  const said = (ran.stdout + ran.stderr).trimEnd().split('\n')
    .map((line) => (line.length > 160 ? `${line.slice(0, 157)}...` : line));
  const cut = said.length > lines_max
    ? [...said.slice(0, lines_max / 2), '…', ...said.slice(-lines_max / 2)] : said;
  tell('```', `$ ${command}`, ...cut.filter((line) => line !== ''),
    ...(ran.status ? [`(exit code ${ran.status})`] : []), '```', '');
  return ran;
}

async function pull(number, branch) {
  const file = path.join(here, '.github/workflows/illusion-gate.yml');
  const copy = path.join(root, 'workflow.yml');
  writeFileSync(copy, readFileSync(file));
  const run = await stage.pull(copy, number, branch);
  const it = leg(run, 'gate');
  tell(`The run of pull request ${number}: **${run.results.gate.result}**.`, '', '```',
    ...it.machine.ran.filter((step) => step.outcome !== 'skipped')
      .map((step) => `${step.outcome.padEnd(8)} ${step.name}`), '```', '');
  return { ...it, run };
}

function merge(number) {
  const answer = site.merge(number, ['illusion gate']);
  tell(`Merge pull request ${number}: HTTP ${answer.status}, "${answer.message}"`, '');
  return answer.status;
}

const kernel = 'kernels/my_softmax.cu';
const workflow = '.github/workflows/illusion-gate.yml';
mkdirSync(path.join(here, 'kernels'));
cpSync(path.join(source, 'gate/test/integration/newcomer/row_softmax.cu'),
  path.join(here, kernel));

tell('# From an empty repository to a refused merge', '',
  'Made by `gate/test/action/add_to_repository_test.sh`, which types the commands below for real;',
  'pull requests, comments and the required check are played by a local site, the workflow by a',
  `small local runner, kernels run in sandbox: ${sandbox}. The base image is a local one here.`, '',
  '## Kernels and how to call them', '');
type('find . -type f -not -path "./.git/*"');
expect(type(`gate init ${kernel}`).status === 0, 'gate init knows the op');
type('cat kernels/my_softmax.toml', 24);
expect(type('gate run kernels --device emu').status === 0, 'the kernel is clean');
tell('## The workflow', '');
type(`mkdir -p .github/workflows && ${
  ''}cp ${source}/.github/workflow-examples/smallest.yml ${workflow}`);
type(`sed -i "s/@0\\{40\\}.*/@$(git -C ${source} rev-parse HEAD)/" ${workflow}`);
expect(type(`grep -n 'illusion-gate@[0-9a-f]\\{40\\}$' ${workflow}`).status === 0,
  'the pin is filled in');
type('find . -type f -not -path "./.git/*" | sort');
site.push('main', 'Kernels and the gate');
tell('Committed and pushed to main; the check `illusion gate` is required there.', '',
  '## A pull request with a faster kernel', '');

site.branch('faster');
type(`sed -i 's/expf(in\\[i\\] - top)/expf(in[i])/; /fmaxf/d' ${kernel}`);
site.push('faster', 'A faster softmax: nobody needs the maximum');
let at = await pull(1, 'faster');
expect(at.run.results.gate.result === 'failure', 'the bug is found', at.log);
expect(merge(1) === 405, 'the merge is refused');
const [comment] = stage.comments(1);
expect(comment !== undefined, 'there is a comment', at.log);
tell('The comment begins:', '', ...(comment?.body ?? '').split('\n').slice(0, 9)
  .map((line) => `> ${line.slice(0, 300)}`), '');
const token = /ig1:[A-Za-z0-9_-]+/.exec(comment?.body ?? '')?.[0] ?? 'none';
writeFileSync(path.join(root, 'token'), token);
tell('On the author\'s machine, with the token of the comment:', '');
const replayed = spawnSync(gate, ['replay', token, '--root', here], { encoding: 'utf8',
  cwd: here });
tell('```', '$ gate replay ig1:…', ...(replayed.stdout + replayed.stderr).trimEnd().split('\n')
  .slice(0, 16).map((line) => line.slice(0, 160)), `(exit code ${replayed.status})`, '```', '');
expect(replayed.status === 1, 'the token reproduces the finding', replayed.stderr);

tell('## The fix', '');
type(`git checkout -q main -- ${kernel} && echo '// The maximum is needed.' >>${kernel}`);
site.push('faster', 'The maximum is needed after all');
at = await pull(1, 'faster');
expect(at.run.results.gate.result === 'success', 'the fix is green', at.log);
expect(stage.comments(1).length === 1 && stage.comments(1)[0].edits === 1,
  'the comment was updated in place');
tell('The same comment now begins:', '', ...stage.comments(1)[0].body.split('\n').slice(0, 3)
  .map((line) => `> ${line.slice(0, 300)}`), '');
expect(merge(1) === 200, 'the merge goes through');
stage.close();
rmSync(path.join(root, 'token'), { force: true });
if (transcriptFile) writeFileSync(transcriptFile, `${lines.join('\n').trimEnd()}\n`);
finish();
