// The language service imports JSON files as bundlers allow; Node asks for an attribute. This hook,
// given to node with --import, supplies it.
// SPDX-License-Identifier: Apache-2.0
import { register } from 'node:module';

const hook = `export async function load(url, context, next) {
  if (!url.endsWith('.json')) return next(url, context);
  return next(url, { ...context, importAttributes: { type: 'json' } });
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
