// A small runner: steps of jobs and of composite actions, executed for real with the runner's
// files, environment, conditions and output commands. What it does not know is an error, not a
// guess.
// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { holds, interpolate, interpolateMap } from './expressions.mjs';

export const readYaml = (file) => parse(readFileSync(file, 'utf8'));

/// Reads stdout and stderr as the runner does: commands act, until a stop-commands word.
class OutputReader {
  constructor(job) {
    this.job = job;
    this.pending = '';
    this.stopped = null;
  }

  take(text) {
    const lines = (this.pending + text).split('\n');
    this.pending = lines.pop();
    for (const line of lines) this.line(line);
  }

  end() { if (this.pending) this.line(this.pending); }

  line(line) {
    const command = /^::([a-z-]+)(?: ([^:]*))?::(.*)$/.exec(line.trimStart());
    const legacy = /^##\[/.test(line.trimStart());
    if (this.stopped) {
      if (command && command[1] === this.stopped) this.stopped = null;
      else if (line.trim() === `::${this.stopped}::`) this.stopped = null;
      else this.job.log.push(line);
      return;
    }
    if (command?.[1] === 'stop-commands') {
      this.stopped = command[3];
    } else if (command || legacy) {
      this.job.commands.push({ name: command?.[1] ?? 'legacy', text: command?.[3] ?? line });
    } else {
      this.job.log.push(line);
    }
  }
}

/// name=value and name<<END … END, as in GITHUB_OUTPUT and GITHUB_ENV.
export function parseCommandFile(text) {
  const values = {};
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const block = /^([^=]+)<<(.+)$/.exec(lines[at]);
    const plain = /^([^=]+)=(.*)$/.exec(lines[at]);
    if (block && (!plain || block[1].length < plain[1].length)) {
      const body = [];
      for (at += 1; at < lines.length && lines[at] !== block[2]; at += 1) body.push(lines[at]);
      if (at >= lines.length) throw new Error(`no ${block[2]} closes ${block[1]}`);
      values[block[1]] = body.join('\n');
    } else if (plain) {
      values[plain[1]] = plain[2];
    } else if (lines[at] !== '') {
      throw new Error(`not a line of a command file: ${lines[at]}`);
    }
  }
  return values;
}

export function runProcess(command, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command[0], command.slice(1), { ...options,
      stdio: ['ignore', 'pipe', 'pipe'] });
    options.started?.(child);
    child.stdout.on('data', (data) => options.reader.take(data.toString()));
    child.stderr.on('data', (data) => options.reader.take(data.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      options.reader.end();
      resolve(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15));
    });
  });
}

/// One job on one machine: its folders, log, and the environment that steps inherit.
export class Job {
  constructor({ root, name, github, actions, base = {}, given = {}, onChild }) {
    Object.assign(this, { name, github, actions, given, onChild, log: [], commands: [], ran: [] });
    this.folder = mkdtempSync(path.join(root, `${name.replace(/[^a-z0-9]+/gi, '-')}-`));
    for (const each of ['workspace', 'temp', 'tools', 'files']) {
      mkdirSync(path.join(this.folder, each));
    }
    this.workspace = path.join(this.folder, 'workspace');
    this.temp = path.join(this.folder, 'temp');
    this.summary = path.join(this.folder, 'files', 'summary.md');
    writeFileSync(this.summary, '');
    this.eventFile = path.join(this.temp, 'event.json');
    writeFileSync(this.eventFile, JSON.stringify(github.event));
    this.base = base;
    this.count = 0;
  }

  environment(step, extra) {
    const { github } = this;
    return {
      PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', CI: 'true', ...this.base,
      GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: this.workspace,
      GITHUB_EVENT_PATH: this.eventFile, GITHUB_EVENT_NAME: github.event_name,
      GITHUB_REPOSITORY: github.repository, GITHUB_SHA: github.sha, GITHUB_REF: github.ref,
      GITHUB_ACTOR: github.actor, GITHUB_RUN_ID: github.run_id,
      GITHUB_RUN_ATTEMPT: github.run_attempt, GITHUB_JOB: github.job,
      GITHUB_SERVER_URL: github.server_url, GITHUB_API_URL: github.api_url,
      GITHUB_STEP_SUMMARY: step.summary, GITHUB_OUTPUT: step.output, GITHUB_ENV: step.env,
      GITHUB_PATH: step.path, RUNNER_TEMP: this.temp, RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64',
      RUNNER_TOOL_CACHE: path.join(this.folder, 'tools'), ...extra,
    };
  }

  contexts(more) {
    return { github: { ...this.github, workspace: this.workspace },
      runner: { temp: this.temp, os: 'Linux', arch: 'X64' }, env: {}, secrets: {}, vars: {},
      matrix: {}, needs: {}, strategy: {}, inputs: {}, steps: {}, job: { status: 'success' },
      ...more };
  }

  /// Runs steps in order; returns { status, steps } as success() and steps.* see them.
  async runSteps(steps, more, actionPath) {
    let status = 'success';
    const results = {};
    for (const step of steps) {
      const contexts = this.contexts({ ...more, steps: results });
      contexts.job = { status };
      if (actionPath) contexts.github.action_path = actionPath;
      let outcome = 'skipped';
      let outputs = {};
      const name = interpolate(step.name ?? step.id ?? step.uses ?? 'run', contexts, status);
      if (holds(step.if, contexts, status)) {
        ({ outcome, outputs } = await this.runStep(step, contexts, status, actionPath));
      }
      const forgiven = interpolate(step['continue-on-error'] ?? false, contexts, status) === 'true';
      const conclusion = outcome === 'failure' && forgiven ? 'success' : outcome;
      if (step.id) results[step.id] = { outputs, outcome, conclusion };
      this.ran.push({ name, outcome, conclusion });
      if (conclusion === 'failure') status = 'failure';
    }
    return { status, steps: results };
  }

  async runStep(step, contexts, status, actionPath) {
    const env = interpolateMap(step.env, contexts, status);
    if (step.uses) return this.runAction(step, contexts, status, env);
    if (step.shell !== undefined && step.shell !== 'bash') throw new Error(`shell ${step.shell}`);
    if (actionPath && !step.shell) throw new Error('a composite step has no shell');
    this.count += 1;
    const files = {};
    for (const each of ['output', 'env', 'path', 'summary']) {
      files[each] = path.join(this.folder, 'files', `${each}-${this.count}`);
      writeFileSync(files[each], '');
    }
    const script = path.join(this.temp, `step-${this.count}.sh`);
    writeFileSync(script, interpolate(step.run, contexts, status));
    const more = { ...env, ...(actionPath ? { GITHUB_ACTION_PATH: actionPath } : {}) };
    const code = await runProcess(
      ['bash', '--noprofile', '--norc', '-eo', 'pipefail', script],
      { cwd: this.workspace, env: this.environment(files, more), reader: new OutputReader(this),
        started: (child) => this.onChild?.(child, step) });
    Object.assign(this.base, parseCommandFile(readFileSync(files.env, 'utf8')));
    if (statSync(files.summary).size <= 1 << 20) {   // a larger one is dropped whole
      writeFileSync(this.summary, readFileSync(files.summary), { flag: 'a' });
    } else {
      this.commands.push({ name: 'error', text: 'step summary too large' });
    }
    return { outcome: code === 0 ? 'success' : 'failure',
      outputs: parseCommandFile(readFileSync(files.output, 'utf8')), code };
  }

  async runAction(step, contexts, status, env) {
    const used = step.uses.replace(/@.*$/, '');
    const known = this.actions[used];
    // What a test sets on top of a workflow's own inputs (where images come from, say).
    const inputs = { ...interpolateMap(step.with, contexts, status), ...this.given[used] };
    if (!known) throw new Error(`no action ${step.uses} here`);
    if (typeof known === 'function') {
      try {
        return { outcome: 'success', outputs: (await known(this, inputs)) ?? {} };
      } catch (error) {
        this.log.push(`${step.uses}: ${error.message}`);
        return { outcome: 'failure', outputs: {} };
      }
    }
    return this.runComposite(known, inputs, contexts, env);
  }

  async runComposite(folder, given, contexts, env) {
    const action = readYaml(path.join(folder, 'action.yml'));
    if (action.runs.using !== 'composite') throw new Error(`using: ${action.runs.using}`);
    const inputs = {};
    for (const [name, input] of Object.entries(action.inputs ?? {})) {
      inputs[name] = given[name] ?? interpolate(input.default ?? '', contexts);
    }
    for (const name of Object.keys(given)) {
      if (!(name in inputs)) throw new Error(`the action has no input ${name}`);
    }
    const outer = this.base;
    this.base = { ...outer, ...env };
    const { status, steps } = await this.runSteps(action.runs.steps,
      { inputs, github: { ...contexts.github } }, folder);
    this.base = outer;
    const outputs = {};
    for (const [name, output] of Object.entries(action.outputs ?? {})) {
      outputs[name] = interpolate(output.value, { ...contexts, inputs, steps });
    }
    return { outcome: status, outputs };
  }
}
