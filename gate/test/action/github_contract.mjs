// Scenarios: gate-publish in every mode for every event, on the descriptions of github.com and of
// an Enterprise Server.
// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { deflateRawSync } from 'node:zlib';
import { GithubServer } from './github_server.mjs';

const [program, golden] = process.argv.slice(2);
const payloads = createRequire(import.meta.url)('@octokit/webhooks-examples');
const examples = (payloads.default ?? payloads);
const folder = mkdtempSync(`${tmpdir()}/github-contract-`);
const marker = '<!-- illusion-gate:v1:default -->';

function event(name, action) {
  const found = examples.find((each) => each.name === name).examples
    .find((each) => action === undefined || each.action === action);
  return structuredClone(found);
}

function zipOf(name, content) {
  const packed = deflateRawSync(content), file = Buffer.from(name);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, file, packed]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), fields,
    Buffer.alloc(6), Buffer.from([0, 0, 0xa4, 0x81]), Buffer.alloc(4), file]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

/// Own, because zlib.crc32 is newer than Debian 12's Node.
function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; ++bit) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

function publish(server, name, payload, modes, { results = 'red.json', flags = [] } = {}) {
  writeFileSync(`${folder}/event.json`, JSON.stringify(payload));
  server.requests.length = 0;
  const argv = [...modes, ...flags, ...(results ? ['--results', `${golden}/${results}`] : [])];
  const env = {
    PATH: process.env.PATH, GITHUB_TOKEN: 'contract-token', GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: `${folder}/event.json`, GITHUB_REPOSITORY: payload.repository.full_name,
    GITHUB_API_URL: server.url + server.prefix, GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_SHA: 'a'.repeat(40), GITHUB_REF: 'refs/heads/main', GITHUB_RUN_ID: '30433642',
    GITHUB_RUN_ATTEMPT: '1', GITHUB_STEP_SUMMARY: `${folder}/summary.md`,
    GITHUB_OUTPUT: `${folder}/output`, no_proxy: '127.0.0.1',
  };
  return new Promise((resolve) => {
    execFile(program, argv, { env, timeout: 120_000 }, (error, stdout, stderr) => {
      const writes = server.requests.filter((each) => each.method !== 'GET');
      resolve({ code: error ? error.code ?? -1 : 0, log: stdout + stderr, writes,
        reads: server.requests.length - writes.length });
    });
  });
}

/// Comments of one issue, kept as GitHub keeps them.
function keepComments(server, number, head) {
  const kept = [];
  server.overrides[`GET /issues/${number}/comments`] = (examples) =>
    [200, [...examples, ...kept]];
  server.overrides[`POST /issues/${number}/comments`] = (example, body) => {
    kept.push({ ...example, id: 900 + kept.length, body: JSON.parse(body).body,
      user: { ...example.user, login: 'github-actions[bot]' } });
    return [201, kept.at(-1)];
  };
  server.overrides['PATCH /issues/comments/900'] = (example, body) => {
    kept[0].body = JSON.parse(body).body;
    return [200, kept[0]];
  };
  server.overrides[`GET /pulls/${number}`] = (example) =>
    [200, { ...example, number, head: { ...example.head, sha: head } }];
  return kept;
}

const scenarios = {
  async 'pull request: every mode, then the comment in place'(server) {
    const payload = event('pull_request', 'opened');
    payload.repository.full_name = payload.pull_request.head.repo.full_name;
    const { number } = payload.pull_request;
    const kept = keepComments(server, number, payload.pull_request.head.sha);
    const modes = ['summary', 'comment', 'check-run', 'status', 'sarif'];
    const first = await publish(server, 'pull_request', payload, modes);
    assert.equal(first.code, 0, first.log);
    assert.deepEqual(first.writes.map((each) => each.method), ['POST', 'POST', 'POST', 'POST']);
    assert(kept[0].body.startsWith(marker));
    const again = await publish(server, 'pull_request', payload, ['comment']);
    assert.deepEqual([again.code, again.writes.length], [0, 0], again.log);
    const green = await publish(server, 'pull_request', payload, ['comment'],
      { results: 'green.json' });
    assert.equal(green.code, 0, green.log);
    assert.deepEqual(green.writes.map((each) => each.method), ['PATCH']);
    assert(kept.length === 1 && kept[0].body.includes('pass'));
  },
  async 'merge group: status and check run, no comment'(server) {
    const payload = event('merge_group', 'checks_requested');
    const ended = await publish(server, 'merge_group', payload, ['comment', 'status', 'check-run']);
    assert.equal(ended.code, 0, ended.log);
    assert.equal(ended.writes.length, 2);
    assert(ended.writes[0].url.endsWith(payload.merge_group.head_sha));
  },
  async 'push: status, SARIF'(server) {
    const payload = event('push');
    const ended = await publish(server, 'push', payload, ['status', 'sarif', 'comment']);
    assert.equal(ended.code, 0, ended.log);
    assert.equal(ended.writes.length, 2);
  },
  async 'schedule: seeds on an orphan branch, then on top of it'(server) {
    const payload = { repository: event('push').repository };
    const flags = ['--seeds-branch', 'gate-seeds'];
    const commit = { object: { sha: 'b'.repeat(40) } };
    server.overrides['GET /git/ref/heads/gate-seeds'] = () => [404, { message: 'Not Found' }];
    const orphan = await publish(server, 'schedule', payload, ['seeds'], { flags });
    assert.equal(orphan.code, 0, orphan.log);
    assert.deepEqual(orphan.writes.map((each) => each.method), ['POST', 'POST', 'POST']);
    assert(!('base_tree' in JSON.parse(orphan.writes[0].body)));
    assert.deepEqual(JSON.parse(orphan.writes[1].body).parents, []);
    server.overrides['GET /git/ref/heads/gate-seeds'] = (example) =>
      [200, { ...example, ...commit }];
    server.overrides['POST /git/trees'] = (example) => [201, { ...example, sha: 'd'.repeat(40) }];
    const next = await publish(server, 'schedule', payload, ['seeds'], { flags });
    assert.equal(next.code, 0, next.log);
    assert.deepEqual(next.writes.map((each) => each.method), ['POST', 'POST', 'PATCH']);
    assert.deepEqual(JSON.parse(next.writes[1].body).parents, ['b'.repeat(40)]);
  },
  async "workflow run: a fork's comment, from its artifact"(server) {
    const payload = event('workflow_run', 'completed');
    const run = payload.workflow_run, sha = run.head_sha;
    const kept = keepComments(server, 11, sha);
    const fork = (path) => (example) => [200, { ...example, id: run.id, path, event: 'pull_request',
      head_sha: sha, run_attempt: 2, head_branch: 'fix/a&b',
      head_repository: { ...example.head_repository, full_name: 'mallory/kernels',
        owner: { ...example.head_repository.owner, login: 'mallory' } } }];
    const ours = '.github/workflows/illusion-gate.yml@main';
    server.overrides[`GET /actions/runs/${run.id}`] = fork(ours);
    server.overrides['GET /pulls'] = ([example]) =>
      [200, [{ ...example, number: 11, head: { ...example.head, sha } }]];
    server.overrides[`GET /actions/runs/${run.id}/artifacts`] = (example) =>
      [200, { ...example, artifacts: [{ ...example.artifacts[0], id: 5, expired: false,
        name: 'illusion-gate-verdict-2' }] }];
    server.overrides['GET /actions/artifacts/5/zip'] = () =>
      [302, null, { location: `${server.url}/blob` }];
    server.blob = zipOf('results.json', readFileSync(`${golden}/red.json`));
    const ended = await publish(server, 'workflow_run', payload, ['comment', 'summary'],
      { results: '' });
    assert.equal(ended.code, 0, ended.log);
    assert(kept[0]?.body.includes("From a fork's run"), ended.log);
    server.overrides[`GET /actions/runs/${run.id}`] = fork('.github/workflows/other.yml');
    const refused = await publish(server, 'workflow_run', payload, ['comment'],
      { results: '' });
    assert.deepEqual([refused.code, refused.writes.length], [3, 0], refused.log);
  },
};

let failed = 0;
for (const [description, prefix] of [['api.github.com', ''], ['ghes-3.17', '/api/v3']]) {
  const server = await GithubServer.start(description, prefix);
  let total = 0;
  for (const [name, scenario] of Object.entries(scenarios)) {
    server.overrides = {};
    server.violations.length = 0;
    let problem = '';
    try { await scenario(server); } catch (error) { problem = error.stack; }
    total += server.requests.length;
    const broken = [...(problem ? [problem] : []), ...server.violations];
    failed += broken.length > 0 ? 1 : 0;
    console.log(`${broken.length ? 'FAILED' : 'ok'}  ${description}: ${name}`);
    for (const each of broken) console.log(`        ${each}`);
  }
  // A contract server that accepts everything would prove nothing.
  server.violations.length = 0;
  await fetch(`${server.url}${prefix}/repos/a/b/issues/1/comments`,
    { method: 'POST', body: '{"text": "x"}', headers: { 'content-type': 'application/json' } });
  if (!server.violations.some((each) => each.includes('422'))) {
    ++failed;
    console.log(`FAILED  ${description}: a wrong request was accepted`);
  }
  server.stop();
}
rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);
