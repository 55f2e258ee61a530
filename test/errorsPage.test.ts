import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { exitCodeOf } from '../packages/cli/src/exitCodes.js';
import { runCli } from './support/runCli.js';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');

const source = read('packages/functor/src/error/CorpuscleError.ts');
const codes = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map((match) => match[1]!);
const sections = read('docs/errors.md').split(/^## /m);

it('the page of errors has every code of the source, once', () => {
  const rows = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
    (match) => match[1],
  );
  expect(rows.sort()).toEqual(codes.sort());
});

it.each(codes)('%s is in the part of its exit code', (code) => {
  const expected = exitCodeOf(Object.assign(new Error(), { name: 'CorpuscleError', code }));
  const section = sections.find((text) => text.includes(`\`${code}\` |`))!;
  const told = /exit code (\d)/.exec(section.split('\n')[0]!)?.[1] ?? '2';
  expect(Number(told)).toBe(expected);
});

it('unknown names link to the page that explains', async () => {
  const argv = ['check', fileURLToPath(new URL('../examples/01-lj-melt.yaml', import.meta.url))];
  const { err } = await runCli([...argv, '--set', 'globl.dt=1']);
  expect(err).toMatch(
    /\nsee https:\/\/github\.com\/\S+\/docs\/errors\.md#mistakes-of-the-input-exit-code-2\n$/,
  );
});
