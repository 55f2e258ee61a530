import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where a test may be that the page names, after the package that it names: among its tests, or beside its sources. */
const placesOf = (owner: string, name: string): readonly string[] =>
  owner === ''
    ? [`test/${name}.test.ts`]
    : ['test', 'src'].map((folder) => `packages/${owner}/${folder}/${name}.test.ts`);
const owners = ['core', 'patterns', 'operators', 'functor', 'cli'];

it('each promise of docs/reliability.md names a test that exists', () => {
  const rows = readFileSync(`${root}docs/reliability.md`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (promise|defect) /.test(line));
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const tests = row.split('|').at(-2)!;
    let owner = '';
    const named = [...tests.matchAll(/(\w+ )?`([\w/-]+)`/g)].map(([, before, name]) => {
      if (before && owners.includes(before.trim())) owner = before.trim();
      return placesOf(owner, name!);
    });
    expect(named.length, row).toBeGreaterThan(0);
    for (const places of named)
      expect(
        places.some((file) => existsSync(root + file)),
        `${places}: ${row}`,
      ).toBe(true);
  }
});
