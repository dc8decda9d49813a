// gate-publish behind what companies put between a runner and GitHub: an Enterprise Server with
// certificates of its own, proxies, proxies that refuse; and where its token goes in each case.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';

const [program, results] = process.argv.slice(2);
const folder = path.resolve('network');
mkdirSync(folder, { recursive: true });
const token = 'network-token';
const problems = [];
let checks = 0;
function expect(holds, what, more = '') {
  checks += 1;
  if (!holds) problems.push(`${what}\n${more}`);
}

/// An authority of its own, and a server certificate for `name`.
function certificates(authority, name) {
  const at = (file) => path.join(folder, `${authority}-${name}-${file}`);
  const openssl = (...flags) => execFileSync('openssl', flags, { stdio: 'pipe' });
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('ca.key'), '-out',
    at('ca.pem'), '-days', '2', '-subj', `/CN=${authority}`);
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('key.pem'), '-out', at('csr.pem'),
    '-subj', `/CN=${name}`);
  writeFileSync(at('ext'), `subjectAltName=DNS:${name}\n`);
  openssl('x509', '-req', '-in', at('csr.pem'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'),
    '-CAcreateserial', '-out', at('cert.pem'), '-days', '2', '-extfile', at('ext'));
  return { ca: at('ca.pem'), key: readFileSync(at('key.pem')), cert: readFileSync(at('cert.pem')) };
}

const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1',
  () => resolve(server.address().port)));

function enterprise(seen) {
  return (request, response) => {
    seen.push({ method: request.method, url: request.url, token: request.headers.authorization });
    request.resume().on('end', () => {
      const reply = (status, json) => response.writeHead(status, {
        'content-type': 'application/json' }).end(JSON.stringify(json));
      if (/\/pulls\/7$/.test(request.url)) return reply(200, { head: { sha: 'a'.repeat(40) } });
      if (request.method === 'GET') return reply(200, []);
      return reply(201, { id: 1, html_url: 'https://localhost/acme/kernels/pull/7#1' });
    });
  };
}

/// A proxy for CONNECT: every byte it sees in clear is kept.
function proxy(seen, allow, target) {
  const server = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url} ${JSON.stringify(request.headers)}`);
    if (!allow) return socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const out = net.connect(target(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      out.pipe(socket);
      socket.pipe(out);
    });
    for (const each of [socket, out]) each.on('error', () => {});
    return undefined;
  });
  return server;
}

const event = path.join(folder, 'event.json');
const repository = { full_name: 'acme/kernels' };
writeFileSync(event, JSON.stringify({ repository,
  pull_request: { number: 7, head: { sha: 'a'.repeat(40), repo: repository } } }));

function publish(host, flags, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, ['comment', '--comment', 'always', '--results', results,
      '--event', event, '--event-name', 'pull_request', '--repository', 'acme/kernels',
      '--api-url', `${host}/api/v3`, '--server-url', host, ...flags],
    { env: { PATH: process.env.PATH, GITHUB_TOKEN: token, ...environment } });
    let text = '';
    child.stdout.on('data', (data) => { text += data; });
    child.stderr.on('data', (data) => { text += data; });
    child.on('close', (code) => resolve({ code, text }));
  });
}

const ours = certificates('enterprise', 'localhost');
const other = certificates('elsewhere', 'localhost');
const wrong = certificates('enterprise', 'github.example');
const seen = [];
const misnamed = [];
const clear = [];
const refusals = [];
const server = https.createServer(ours, enterprise(seen));
const port = await listen(server);
const strange = https.createServer(wrong, enterprise(misnamed));
const strangePort = await listen(strange);
const open = proxy(clear, true, () => port);
const openPort = await listen(open);
const shut = proxy(refusals, false, () => port);
const shutPort = await listen(shut);
const host = `https://localhost:${port}`;

// What must not work, all at once: each waits between its five tries.
const missing = path.join(folder, 'missing.pem');
const through = { https_proxy: `http://user:password@127.0.0.1:${openPort}` };
const [foreign, misnamedHost, noBundle, elsewhere, refused] = await Promise.all([
  publish(host, ['--ca-bundle', other.ca]),
  publish(`https://localhost:${strangePort}`, ['--ca-bundle', wrong.ca]),
  publish(host, ['--ca-bundle', missing]),
  publish('https://github.enterprise.example', ['--ca-bundle', ours.ca], through),
  publish(host, ['--ca-bundle', ours.ca], { https_proxy: `http://127.0.0.1:${shutPort}` }),
]);
expect(foreign.code === 3 && /certificate/i.test(foreign.text),
  'a foreign authority is refused, and the message says certificate', foreign.text);
expect(misnamedHost.code === 3, 'a certificate of another host is refused', misnamedHost.text);
expect(noBundle.code === 3, 'a missing bundle is no bundle', noBundle.text);
expect(elsewhere.code === 3 && clear.length > 0, 'a host is asked for through the proxy',
  elsewhere.text);
expect(refused.code === 3 && refusals.length > 0, 'a proxy that refuses is a reason', refused.text);
expect(seen.length === 0 && misnamed.length === 0, 'and no request got through in any of these');

let ran = await publish(host, ['--ca-bundle', ours.ca]);
expect(ran.code === 0 && seen.some((each) => each.method === 'POST'), 'the CA bundle is used',
  ran.text);
expect(seen.every((each) => each.token === `Bearer ${token}`), 'the server gets the token');

clear.length = 0;
const reached = seen.length;
ran = await publish(host, ['--ca-bundle', ours.ca], through);
expect(ran.code === 0 && seen.length > reached, 'requests go through the proxy', ran.text);
expect(clear.length > 0 && clear.every((each) => each.startsWith(`CONNECT localhost:${port} `)),
  'as CONNECT only', clear.join('\n'));
expect(![...clear, ...refusals].join('').includes(token), 'no proxy sees the token');

clear.length = 0;
ran = await publish(host, ['--ca-bundle', ours.ca], { ...through, no_proxy: 'localhost' });
expect(ran.code === 0 && clear.length === 0, 'no_proxy goes around it', ran.text);
for (const each of [foreign, misnamedHost, noBundle, elsewhere, refused, ran]) {
  expect(!/network-token|password/.test(each.text), 'no log holds a secret', each.text);
}

for (const each of [server, strange, open, shut]) { each.closeAllConnections(); each.close(); }
for (const each of problems) console.log(`FAILED: ${each}`);
console.log(`${checks - problems.length} passed, ${problems.length} failed`);
process.exit(problems.length > 0 ? 1 : 0);
