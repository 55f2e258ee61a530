import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hasLongForm = /from '[^']*\/support\/runs\.js'/;

/**
 * Paths of all test files relative to the root.
 *
 * @param long only those that have a long form: they import `test/support/runs.ts`.
 */
export function testFiles({ long }: { long: boolean }): string[] {
  const all = ['packages', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  );
  return long
    ? all.filter((file) => hasLongForm.test(readFileSync(join(root, file), 'utf8')))
    : all;
}
