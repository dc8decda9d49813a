// Renders comments as GitHub does (CommonMark, tables, HTML passed through, links recognised) and
// holds that nothing a kernel or a fork wrote became a link, an image, a mention or an element.
// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import MarkdownIt from 'markdown-it';

const folder = process.argv[2];
const markdown = new MarkdownIt({ html: true, linkify: true });
const ours = 'https://github.com/octo/kernels/';
const allowed = new Set(['details', 'summary', 'b', 'sub', 'h2', 'p', 'ul', 'li', 'table', 'thead',
  'tbody', 'tr', 'th', 'td', 'code', 'pre', 'strong', 'em', 'a', 'br']);

for (const name of ['comment_red.md', 'comment_green.md', 'comment_hostile.md']) {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  const html = markdown.render(text);
  assert(html.startsWith('<!-- illusion-gate:v1:default -->'), `${name}: marker`);
  assert.equal(html.match(/<!--/g).length, 1, `${name}: one comment`);
  for (const [, closing, tag, rest] of html.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9]*)([^>]*)>/g)) {
    assert(allowed.has(tag), `${name}: element ${closing}${tag}${rest}`);
    if (tag === 'a' && closing === '') {
      assert(rest.startsWith(` href="${ours}`), `${name}: link ${rest}`);
    } else {
      assert(/^( (class="language-(toml|text|sh)"|style="text-align:right"))?$/.test(rest),
        `${name}: attributes ${tag}${rest}`);
    }
  }
  for (const tag of ['details', 'summary', 'sub', 'pre', 'table']) {
    const opened = html.split(`<${tag}>`).length, closed = html.split(`</${tag}>`).length;
    assert.equal(opened, closed, `${name}: ${tag} is closed`);
  }
  // Outside code a mention or reference needs its word right after the sign.
  const prose = html.replace(/<pre>[\s\S]*?<\/pre>/g, '').replace(/<code>[\s\S]*?<\/code>/g, '');
  assert(!/@[a-z0-9]/i.test(prose), `${name}: mention`);
  assert(!/(^|[^&])#\d/.test(prose.replace(/&#\d+;/g, '')), `${name}: reference`);
  assert(!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(html),
    `${name}: control characters`);
  console.log(`${name}: ${text.length} characters, nothing broke out`);
}
