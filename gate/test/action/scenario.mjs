// What the scenarios share: a site with the sample repository, a way to let a workflow run on an
// event, and checks that gather what was wrong instead of stopping at the first.
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { SampleRepository } from './sample_repository.mjs';
import { Site } from './site.mjs';
import { WorkflowRun } from './workflow.mjs';

export const problems = [];
let checks = 0;

export function expect(truth, what, more = '') {
  checks += 1;
  if (truth) return;
  problems.push(what);
  console.log(`FAILED: ${what}${more ? `\n${String(more).slice(-3000)}` : ''}`);
}

export function finish() {
  console.log(`${checks - problems.length} passed, ${problems.length} failed`);
  process.exit(problems.length > 0 || checks === 0 ? 1 : 0);
}

/// What the container engine of this machine needs in the environment of every job.
function engineEnvironment() {
  return Object.fromEntries(['CONTAINERS_CONF', 'CONTAINERS_STORAGE_CONF', 'BUILDAH_ISOLATION']
    .filter((name) => process.env[name]).map((name) => [name, process.env[name]]));
}

export class Stage {
  /// options: root, source, with (inputs for every use)
  static async open(options) {
    const stage = Object.assign(new Stage(), { runs: 0, environments: [],
      base: engineEnvironment(), ...options });
    mkdirSync(stage.root, { recursive: true });
    stage.site = await Site.start(stage.root,
      'node_modules/@octokit/webhooks-examples/api.github.com/index.json');
    stage.sample = new SampleRepository(stage.site.work, stage.source);
    return stage;
  }

  close() { this.site.stop(); }

  /// Runs workflow `file` (its use of the Action gets the stage's inputs on top) on an event.
  async run(file, name, event, { head, onChild, ...facts }) {
    this.runs += 1;
    const github = this.site.github(name, event, { run: this.runs, ...facts });
    const run = this.prepare(file, github, head, onChild);
    const started = Date.now();
    await run.run();
    run.seconds = Math.round((Date.now() - started) / 1000);
    return run;
  }

  prepare(file, github, head, onChild) {
    return new WorkflowRun({ site: this.site, root: this.root, file, github, onChild,
      source: this.source, base: this.base, headSha: head, with: this.with,
      mine: 'illusion-gate/illusion-gate' });
  }

  push(file, branch, message) {
    const sha = this.site.push(branch, message);
    const event = { ref: `refs/heads/${branch}`, after: sha,
      repository: { full_name: this.site.repository } };
    return this.run(file, 'push', event, { sha, ref: event.ref, head: sha });
  }

  pull(file, number, branch, options = {}) {
    const { event, head, merge } = this.site.pullRequest(number, branch, options);
    return this.run(file, 'pull_request', event,
      { sha: merge, ref: `refs/pull/${number}/merge`, head, ...options });
  }

  comments(number) { return this.site.comments.filter((each) => each.issue === number); }
}

/// The only use of the Action in a run's job: the step of that name.
export function leg(run, job, at = 0) {
  const machine = run.jobs[job]?.[at];
  if (!machine) throw new Error(`job ${job} did not run: ${JSON.stringify(run.results)}`);
  return { machine, log: machine.log.join('\n'), summary: readFileSync(machine.summary, 'utf8'),
    step: (name) => machine.ran.find((each) => each.name === name)?.outcome };
}

export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true }).map(String)
    .filter((each) => statSync(path.join(folder, each)).isFile()).sort();
}
