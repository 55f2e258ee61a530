import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { runScripts } from './support/runScripts.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const examples = readdirSync(`${root}/examples`).filter((name) => name.endsWith('.ts'));

const backends = ['cpu', 'webgpu'] as const;
/** What each prints on each backend. */
const printed = new Map<string, string>();
beforeAll(async () => {
  const all = examples.flatMap((name) => backends.map((backend) => ({ name, backend })));
  const scripts = all.map(({ name, backend }) => ({
    file: `${root}/examples/${name}`,
    argument: backend,
  }));
  const outputs = await runScripts(scripts);
  for (const [k, { name, backend }] of all.entries())
    printed.set(`${name} ${backend}`, outputs[k]!);
}, 240_000);

test('the four examples of the seed page are there', () => {
  expect(examples).toEqual(
    expect.arrayContaining([
      '02-add-value.ts',
      '03-add-velocity.ts',
      '04-sum-force-norm.ts',
      '05-lennard-jones.ts',
    ]),
  );
});

describe.each(examples)('%s', (name) => {
  test('has fewer than 60 lines', () => {
    expect(readFileSync(`${root}/examples/${name}`, 'utf8').split('\n').length).toBeLessThan(60);
  });

  test.each(backends)('runs on %s and says so', (backend) => {
    const output = printed.get(`${name} ${backend}`)!;
    expect(output).toMatch(new RegExp(`\\b${backend}\\b`));
    expect(output.trim().split('\n').length).toBeGreaterThan(0);
  });
});
