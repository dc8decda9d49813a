// GitHub's expressions, by GitHub's own evaluator; only the status functions are ours.
// SPDX-License-Identifier: Apache-2.0
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';

const toData = (value) => JSON.parse(JSON.stringify(value ?? null), data.reviver);
const fromData = (value) => JSON.parse(JSON.stringify(value, data.replacer));

/// status: 'success' | 'failure' | 'cancelled' of the job or composite action so far.
function statusFunctions(status) {
  const answer = (name, value) => [name, { name, minArgs: 0, maxArgs: 0,
    call: () => new data.BooleanData(value) }];
  return new Map([answer('always', true), answer('success', status === 'success'),
    answer('failure', status === 'failure'), answer('cancelled', status === 'cancelled')]);
}

export function evaluate(text, contexts, status = 'success') {
  const functions = statusFunctions(status);
  const tokens = new Lexer(text).lex().tokens;
  const tree = new Parser(tokens, Object.keys(contexts), [...functions.values()]).parse();
  return fromData(new Evaluator(tree, toData(contexts), functions).evaluate());
}

const asText = (value) => (value === null ? '' : typeof value === 'object'
  ? 'Object' : String(value));

/// A scalar of the YAML with its ${{ }} replaced; a lone expression keeps its type if asked.
export function interpolate(value, contexts, status = 'success', typed = false) {
  if (typeof value !== 'string') return typed ? value : asText(value ?? null);
  const lone = /^\$\{\{([^]*?)\}\}$/.exec(value.trim());
  if (lone && !lone[1].includes('${{')) {
    const result = evaluate(lone[1].trim(), contexts, status);
    return typed ? result : asText(result);
  }
  return value.replace(/\$\{\{([^]*?)\}\}/g,
    (_, text) => asText(evaluate(text.trim(), contexts, status)));
}

export function interpolateMap(map, contexts, status) {
  return Object.fromEntries(Object.entries(map ?? {})
    .map(([key, value]) => [key, interpolate(value, contexts, status)]));
}

/// An `if:`: success() is asked too, unless the condition asks for a status itself.
export function holds(condition, contexts, status) {
  if (condition === undefined) return status === 'success';
  const text = String(condition).trim().replace(/^\$\{\{([^]*)\}\}$/, '$1').trim();
  const result = evaluate(text, contexts, status);
  const truth = !(result === null || result === false || result === '' || result === 0);
  const asks = /\b(always|success|failure|cancelled)\s*\(/.test(text);
  return truth && (asks || status === 'success');
}
