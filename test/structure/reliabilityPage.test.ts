import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where a test may be that the page names, after the package that it names. */
const placeOf = (owner: string, name: string): string =>
  `${owner === '' ? '' : `packages/${owner}/`}test/${name}.test.ts`;

it('each promise of docs/reliability.md names a test that exists', () => {
  const rows = readFileSync(`${root}docs/reliability.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const tests = row.split('|').at(-2)!;
    let owner = '';
    const named = [...tests.matchAll(/(\w+ )?`([\w/-]+)`/g)].map(([, before, name]) => {
      if (before && ['core ', 'patterns ', 'operators '].includes(before)) owner = before.trim();
      return placeOf(owner, name!);
    });
    expect(named.length, row).toBeGreaterThan(0);
    for (const file of named) expect(existsSync(root + file), `${file}: ${row}`).toBe(true);
  }
});
