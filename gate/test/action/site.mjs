// A site that hosts one repository: git with branches and pull requests' merge commits, comments,
// check results, a required check that blocks merging, and the part of the REST interface that
// gate-publish uses. The contract of that interface is github_contract.mjs's subject.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { git } from './workflow.mjs';

const me = 'github-actions[bot]';

export class Site {
  static async start(root, examples) {
    const site = new Site();
    Object.assign(site, { root, pulls: new Map(), comments: [], checks: [], requests: [],
      repository: 'acme/kernels', token: 'site-token', readOnly: false, runs: new Map(),
      payload: JSON.parse(readFileSync(examples, 'utf8'))
        .find((each) => each.name === 'pull_request').examples
        .find((each) => each.action === 'opened') });
    site.bare = path.join(root, 'site.git');
    site.work = path.join(root, 'author');
    mkdirSync(site.bare);
    execFileSync('git', ['init', '-q', '--bare', '-b', 'main', site.bare]);
    git(site.bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
    execFileSync('git', ['clone', '-q', `file://${site.bare}`, site.work],
      { stdio: ['ignore', 'ignore', 'ignore'] });
    git(site.work, 'checkout', '-q', '-b', 'main');
    site.http = http.createServer((request, response) => {
      const pieces = [];
      request.on('data', (piece) => pieces.push(piece));
      request.on('end', () => site.answer(request, response, Buffer.concat(pieces).toString()));
    });
    await new Promise((resolve) => site.http.listen(0, '127.0.0.1', resolve));
    site.url = `http://127.0.0.1:${site.http.address().port}`;
    return site;
  }

  stop() { this.http.close(); }

  /// Commits all of the author's folder on its branch and pushes it.
  push(branch, message) {
    git(this.work, 'add', '-A');
    git(this.work, 'commit', '-q', '-m', message);
    git(this.work, 'push', '-q', '--force', 'origin', `HEAD:refs/heads/${branch}`);
    return git(this.work, 'rev-parse', 'HEAD');
  }

  branch(name) {
    git(this.work, 'fetch', '-q', 'origin');
    git(this.work, 'checkout', '-q', '-B', name, 'origin/main');
  }

  /// Opens or updates pull request `number` from `branch`; returns the event of it.
  pullRequest(number, branch, { fork = false, labels = [] } = {}) {
    const head = git(this.bare, 'rev-parse', `refs/heads/${branch}`);
    const base = git(this.bare, 'rev-parse', 'refs/heads/main');
    const tree = git(this.bare, 'merge-tree', '--write-tree', base, head).split('\n')[0];
    const merge = git(this.bare, 'commit-tree', tree, '-p', base, '-p', head, '-m', 'Merge');
    git(this.bare, 'update-ref', `refs/pull/${number}/merge`, merge);
    const event = structuredClone(this.payload);
    event.number = number;
    const owner = fork ? 'stranger' : 'acme';
    Object.assign(event.repository, { full_name: this.repository, name: 'kernels' });
    Object.assign(event.pull_request, { number, state: 'open', labels: labels.map((name) =>
      ({ name })) });
    Object.assign(event.pull_request.head, { sha: head, ref: branch });
    Object.assign(event.pull_request.head.repo, { full_name: `${owner}/kernels`, fork });
    Object.assign(event.pull_request.base, { sha: base, ref: 'main' });
    Object.assign(event.pull_request.base.repo, { full_name: this.repository });
    this.pulls.set(number, { number, head, base, merge, branch, fork });
    return { event, head, base, merge };
  }

  github(name, event, { sha, ref, actor = 'someone', run = 1, attempt = 1 }) {
    return { event, event_name: name, repository: this.repository, repository_owner: 'acme', sha,
      ref, actor, run_id: String(run), run_attempt: String(attempt), run_number: String(run),
      server_url: this.url, api_url: `${this.url}/api/v3`, token: this.token,
      workflow: 'illusion-gate', head_ref: event.pull_request?.head.ref ?? '',
      base_ref: event.pull_request?.base.ref ?? '' };
  }

  checkRun(sha, name, conclusion) {
    this.checks = this.checks.filter((each) => each.sha !== sha || each.name !== name);
    this.checks.push({ sha, name, conclusion });
  }

  /// As the button does: refused while a required check of the head is not green.
  merge(number, required) {
    const pull = this.pulls.get(number);
    for (const name of required) {
      const check = this.checks.find((each) => each.sha === pull.head && each.name === name);
      if (check?.conclusion !== 'success') {
        const state = check ? `is ${check.conclusion}` : 'is expected and has not reported';
        return { status: 405, message: `Required status check "${name}" ${state}.` };
      }
    }
    git(this.bare, 'update-ref', 'refs/heads/main', pull.merge);
    return { status: 200, message: 'Pull Request successfully merged' };
  }

  /// What the interface tells of a finished run, and its verdict artifact as a zip.
  publishRun(run, { number, path: file }) {
    const pull = this.pulls.get(number);
    const name = readdirSync(run.artifacts).find((each) => each.includes('-verdict-'));
    const zip = path.join(this.root, `artifact-${run.github.run_id}.zip`);
    execFileSync('python3', ['-m', 'zipfile', '-c', zip,
      ...readdirSync(path.join(run.artifacts, name))], { cwd: path.join(run.artifacts, name) });
    this.runs.set(Number(run.github.run_id), { number, name, zip: readFileSync(zip), json: {
      id: Number(run.github.run_id), path: file, event: 'pull_request', head_sha: pull.head,
      head_branch: pull.branch, run_attempt: 1, actor: { login: 'stranger' },
      head_repository: { full_name: 'stranger/kernels', owner: { login: 'stranger' } } } });
  }

  runRoute(id, rest, reply) {
    const run = this.runs.get(id);
    if (!run) return reply(404, { message: 'Not Found' });
    if (rest === '') return reply(200, run.json);
    return reply(200, { total_count: 1, artifacts: [{ id, name: run.name, expired: false,
      size_in_bytes: run.zip.length }] });
  }

  answer(request, response, body) {
    const reply = (status, json, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    };
    const { pathname } = new URL(request.url, this.url);
    this.requests.push({ method: request.method, path: pathname, body });
    const blob = /^\/blob\/(\d+)$/.exec(pathname);
    if (blob && !request.headers.authorization) {
      return response.writeHead(200).end(this.runs.get(Number(blob[1])).zip);
    }
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      return reply(401, { message: 'Bad credentials' });
    }
    const route = pathname.replace(`/api/v3/repos/${this.repository}`, '');
    if (request.method !== 'GET' && this.readOnly) {
      return reply(403, { message: 'Resource not accessible by integration' });
    }
    return this.route(request.method, route, body ? JSON.parse(body) : {}, reply);
  }

  route(method, route, body, reply) {
    const list = /^\/issues\/(\d+)\/comments$/.exec(route);
    const one = /^\/issues\/comments\/(\d+)$/.exec(route);
    const pull = /^\/pulls\/(\d+)$/.exec(route);
    const ran = /^\/actions\/runs\/(\d+)(|\/artifacts)$/.exec(route);
    const zip = /^\/actions\/artifacts\/(\d+)\/zip$/.exec(route);
    if (ran && method === 'GET') return this.runRoute(Number(ran[1]), ran[2], reply);
    if (zip) return reply(302, {}, { location: `${this.url}/blob/${zip[1]}` });
    if (route === '/pulls' && method === 'GET') {
      return reply(200, [...this.pulls.values()].filter((each) => each.fork)
        .map((each) => ({ number: each.number, head: { sha: each.head } })));
    }
    if (list && method === 'GET') {
      return reply(200, this.comments.filter((each) => each.issue === Number(list[1])));
    }
    if (list && method === 'POST') {
      const id = 100 + this.comments.length;
      const comment = { id, issue: Number(list[1]), body: body.body, user: { login: me },
        html_url: `${this.url}/${this.repository}/pull/${list[1]}#issuecomment-${id}` };
      this.comments.push(comment);
      return reply(201, comment);
    }
    if (one && method === 'PATCH') {
      const comment = this.comments.find((each) => each.id === Number(one[1]));
      comment.body = body.body;
      comment.edits = (comment.edits ?? 0) + 1;
      return reply(200, comment);
    }
    if (pull && method === 'GET') {
      const known = this.pulls.get(Number(pull[1]));
      return reply(200, { number: known.number, state: 'open', head: { sha: known.head } });
    }
    if (route === '/check-runs' && method === 'POST') return reply(201, { id: 1, ...body });
    return reply(404, { message: 'Not Found' });
  }
}
