// Workflows over the small runner: triggers, needs, matrices, conditions, outputs, and what stands
// in here for GitHub's own actions: checkout, artifacts up and down.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { holds, interpolate, interpolateMap } from './expressions.mjs';
import { Job, readYaml } from './runner.mjs';

export const git = (folder, ...command) => execFileSync('git', ['-C', folder, ...command],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env,
    GIT_AUTHOR_NAME: 'Someone', GIT_AUTHOR_EMAIL: 'someone@example.com',
    GIT_COMMITTER_NAME: 'Someone', GIT_COMMITTER_EMAIL: 'someone@example.com' } }).trim();

/// As actions/checkout: one commit deep unless told otherwise, credentials kept unless told not to.
function checkout(site) {
  return (job, inputs) => {
    const folder = path.join(job.workspace, inputs.path ?? '.');
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '-q');
    git(folder, 'remote', 'add', 'origin', `file://${site.bare}`);
    const depth = inputs['fetch-depth'] ?? '1';
    const wanted = inputs.ref || job.github.sha;
    const flags = depth === '0' ? [] : [`--depth=${depth}`];
    git(folder, 'fetch', '-q', ...flags, 'origin', wanted);
    if (depth === '0') git(folder, 'fetch', '-q', 'origin', '+refs/heads/*:refs/remotes/origin/*');
    git(folder, 'checkout', '-q', '--detach', 'FETCH_HEAD');
    if (inputs['persist-credentials'] !== 'false') {
      git(folder, 'config', `http.${job.github.server_url}/.extraheader`, 'AUTHORIZATION: basic x');
    }
  };
}

function upload(run) {
  return (job, inputs) => {
    if (!/^[^":<>|*?\r\n\\/]+$/.test(inputs.name)) throw new Error(`artifact name ${inputs.name}`);
    const target = path.join(run.artifacts, inputs.name);
    if (existsSync(target)) throw new Error(`409: an artifact named ${inputs.name} is there`);
    if (!existsSync(inputs.path)) throw new Error(`no files at ${inputs.path}`);
    cpSync(inputs.path, target, { recursive: true });
    const number = readdirSync(run.artifacts).length;
    return { 'artifact-id': String(number),
      'artifact-url': `${run.github.server_url}/${run.github.repository}/actions/runs/` +
        `${run.github.run_id}/artifacts/${number}` };
  };
}

function download(run) {
  return (job, inputs) => {
    const target = path.resolve(job.workspace, inputs.path ?? '.');
    const pattern = inputs.name ?? inputs.pattern ?? '*';
    const form = new RegExp(`^${pattern.replace(/[.+]/g, '\\$&').replace(/\*/g, '.*')}$`);
    mkdirSync(target, { recursive: true });
    for (const name of readdirSync(run.artifacts).filter((each) => form.test(each))) {
      cpSync(path.join(run.artifacts, name), inputs.name ? target : path.join(target, name),
        { recursive: true });
    }
  };
}

function combinations(strategy, contexts) {
  if (!strategy?.matrix) return [{}];
  const matrix = { ...strategy.matrix };
  const include = matrix.include;
  delete matrix.include;
  let legs = [{}];
  for (const [key, listed] of Object.entries(matrix)) {
    const values = Array.isArray(listed) ? listed : interpolate(listed, contexts, 'success', true);
    legs = legs.flatMap((leg) => values.map((value) => ({ ...leg, [key]: value })));
  }
  return include ? (Object.keys(matrix).length ? legs : []).concat(include) : legs;
}

export class WorkflowRun {
  /// options: { site, root, file, github, source, secrets, base, onChild, mine }
  constructor(options) {
    Object.assign(this, options, { jobs: {}, results: {} });
    this.artifacts = path.join(this.root, `artifacts-${this.github.run_id}`);
    rmSync(this.artifacts, { recursive: true, force: true });
    mkdirSync(this.artifacts, { recursive: true });
    this.actions = { 'actions/checkout': checkout(this.site),
      'actions/upload-artifact': upload(this), 'actions/download-artifact': download(this),
      [this.mine]: this.source, './': this.source, ...this.extra };
    this.given = { [this.mine]: this.with ?? {} };
  }

  async run() {
    const workflow = readYaml(this.file);
    const left = Object.entries(workflow.jobs);
    while (left.length > 0) {
      const next = left.findIndex(([, job]) => [job.needs ?? []].flat()
        .every((need) => this.results[need]));
      if (next < 0) throw new Error('needs go in a circle');
      const [[id, job]] = left.splice(next, 1);
      await this.runJob(id, job, workflow);
    }
    return this;
  }

  async runJob(id, job, workflow) {
    const needs = Object.fromEntries([job.needs ?? []].flat()
      .map((need) => [need, this.results[need]]));
    const outcomes = Object.values(needs).map((need) => need.result);
    const status = outcomes.every((each) => each === 'success') ? 'success' : 'failure';
    const contexts = { github: this.github, needs, vars: this.vars ?? {}, inputs: {} };
    this.results[id] = { result: 'skipped', outputs: {} };
    // A job whose need was skipped is skipped too, unless it asks.
    if (!holds(job.if, contexts, status)) return;
    const results = [];
    let outputs = {};
    for (const matrix of combinations(job.strategy, contexts)) {
      const result = await this.runLeg({ id, job, workflow, needs, matrix });
      results.push(result.status);
      outputs = { ...outputs, ...result.outputs };
    }
    const failed = results.includes('failure');
    this.results[id] = { result: failed ? 'failure' : 'success', outputs };
  }

  async runLeg({ id, job, workflow, needs, matrix }) {
    const contexts = { needs, matrix, secrets: this.secrets ?? {}, vars: this.vars ?? {} };
    const outer = { github: this.github, ...contexts };
    const name = interpolate(job.name ?? id, outer);
    const machine = new Job({ root: this.root, name, actions: this.actions, onChild: this.onChild,
      given: this.given, github: { ...this.github, job: id }, base: { ...this.base,
        ...interpolateMap(workflow.env, outer), ...interpolateMap(job.env, outer) } });
    const { status, steps } = await machine.runSteps(job.steps,
      { ...contexts, env: { ...(workflow.env ?? {}), ...(job.env ?? {}) } });
    (this.jobs[id] ??= []).push(machine);
    this.site.checkRun(this.headSha ?? this.github.sha, name, status);
    const outputs = {};
    for (const [key, value] of Object.entries(job.outputs ?? {})) {
      outputs[key] = interpolate(value, machine.contexts({ ...contexts, steps }));
    }
    machine.status = status;
    return { status, outputs };
  }
}
