// A GitHub for tests: every request is first judged by Prism against GitHub's API description; what
// breaks the contract is kept as a violation. Answers are the description's own examples, changed
// where a scenario needs it.
// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';

/// The routes gate-publish may use; any other is unknown to the mock and hence a violation.
const routes = [
  '/repos/{owner}/{repo}/issues/{issue_number}/comments',
  '/repos/{owner}/{repo}/issues/comments/{comment_id}',
  '/repos/{owner}/{repo}/check-runs',
  '/repos/{owner}/{repo}/check-runs/{check_run_id}',
  '/repos/{owner}/{repo}/commits/{ref}/check-runs',
  '/repos/{owner}/{repo}/statuses/{sha}',
  '/repos/{owner}/{repo}/code-scanning/sarifs',
  '/repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id}',
  '/repos/{owner}/{repo}/actions/runs/{run_id}',
  '/repos/{owner}/{repo}/actions/runs/{run_id}/artifacts',
  '/repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
  '/repos/{owner}/{repo}/pulls',
  '/repos/{owner}/{repo}/pulls/{pull_number}',
  '/repos/{owner}/{repo}/git/ref/{ref}',
  '/repos/{owner}/{repo}/git/refs',
  '/repos/{owner}/{repo}/git/refs/{ref}',
  '/repos/{owner}/{repo}/git/trees',
  '/repos/{owner}/{repo}/git/commits',
  '/repos/{owner}/{repo}/git/commits/{commit_sha}',
];

/// The description with our routes only, so that Prism starts in seconds; operations are untouched.
function slice(name, prefix) {
  const whole = JSON.parse(readFileSync(`node_modules/@octokit/openapi/generated/${name}.json`));
  const paths = {};
  for (const route of routes) {
    if (!whole.paths[route]) throw new Error(`${name} has no ${route}`);
    // {ref} of git routes holds slashes, which a mock can only match one part at a time.
    const parts = route.includes('/git/ref') && route.endsWith('{ref}')
      ? [route, route.replace('{ref}', 'heads/{ref}')] : [route];
    for (const part of parts) paths[prefix + part] = whole.paths[route];
  }
  const file = `${name}.slice.json`;
  const cut = { ...whole, paths, servers: [], webhooks: {}, 'x-webhooks': {} };
  writeFileSync(file, JSON.stringify(cut));
  return file;
}

function listening(child) {
  return new Promise((resolve, reject) => {
    let log = '';
    const read = (data) => {
      log += data;
      const found = /listening on (http:\/\/[0-9.:]+)/.exec(log);
      if (found) resolve(found[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', () => reject(new Error(`prism ended: ${log.slice(-2000)}`)));
  });
}

function send(base, request, body) {
  return new Promise((resolve, reject) => {
    // GitHub's media type is checked here; its description only knows the general one.
    const headers = { ...request.headers, accept: 'application/json' };
    delete headers.host;
    const out = http.request(base + request.url, { method: request.method, headers }, (answer) => {
      let text = '';
      answer.on('data', (data) => { text += data; });
      answer.on('end', () => resolve({ status: answer.statusCode, text,
        said: parsed(answer.headers['sl-violations'] ?? '[]') ?? [] }));
    });
    out.on('error', reject);
    out.end(body);
  });
}

export class GithubServer {
  violations = [];
  requests = [];
  /// "METHOD /path below the repository" -> (example, body) => [status, json, headers]
  overrides = {};
  blob = Buffer.alloc(0);

  static async start(description, prefix) {
    const server = new GithubServer();
    server.prefix = prefix;
    const file = slice(description, prefix);
    server.prism = spawn(process.execPath, ['node_modules/.bin/prism', 'mock', '-p', '0', file],
      { stdio: ['ignore', 'pipe', 'pipe'] });
    server.prismUrl = await listening(server.prism);
    server.http = http.createServer((request, response) => {
      const pieces = [];
      request.on('data', (piece) => pieces.push(piece));
      request.on('end', async () => {
        try {
          await server.answer(request, response, Buffer.concat(pieces));
        } catch (error) {
          server.violations.push(String(error));
          response.writeHead(500).end();
        }
      });
    });
    await new Promise((resolve) => server.http.listen(0, '127.0.0.1', resolve));
    server.url = `http://127.0.0.1:${server.http.address().port}`;
    return server;
  }

  stop() {
    this.prism.kill();
    this.http.close();
  }

  violation(request, why) { this.violations.push(`${request.method} ${request.url}: ${why}`); }

  checkHeaders(request) {
    const wanted = {
      accept: 'application/vnd.github+json', authorization: 'Bearer contract-token',
      'x-github-api-version': '2022-11-28',
    };
    for (const [key, value] of Object.entries(wanted)) {
      const seen = request.headers[key];
      if (seen !== value) this.violation(request, `${key}: ${seen}`);
    }
    if (!request.headers['user-agent']) this.violation(request, 'no user agent');
  }

  async answer(request, response, body) {
    if (request.url.startsWith('/blob')) {
      if (request.headers.authorization) this.violation(request, 'token sent to storage');
      response.writeHead(200).end(this.blob);
      return;
    }
    this.requests.push({ method: request.method, url: request.url, body: body.toString() });
    this.checkHeaders(request);
    const judged = await send(this.prismUrl, request, body);
    // Some of GitHub's own examples break its description: about answers Prism may complain.
    const broken = judged.said.filter((each) => each.location?.[0] === 'request');
    const refused = judged.status >= 400 || broken.length > 0;
    if (refused) {
      const why = `${judged.status} ${JSON.stringify(broken)} ${judged.text}`;
      this.violation(request, why.slice(0, 1000));
    }
    const path = new URL(request.url, this.url).pathname
      .replace(this.prefix, '').replace(/^\/repos\/[^/]+\/[^/]+/, '');
    const change = this.overrides[`${request.method} ${path}`];
    let [status, json, headers] = [judged.status, judged.text ? parsed(judged.text) : null, {}];
    if (change && !refused) [status, json, headers = {}] = change(json, body.toString());
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(json === null ? '' : JSON.stringify(json));
  }
}

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}
