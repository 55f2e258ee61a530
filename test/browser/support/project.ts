import { cpSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = fileURLToPath(new URL('../template/page.js', import.meta.url));

/** What the packages need of others in a page. */
const others = { acorn: 'functor', yaml: 'core', 'ohm-js': 'operators' } as const;

/**
 * Makes a project as a user has it: `page.js`, and the packages as they are published below `node_modules`. What is only for
 * Node is not installed.
 */
export function makeProject(folder: string): void {
  const modules = join(folder, 'node_modules');
  for (const name of ['functor', 'core', 'patterns', 'operators', 'view'])
    for (const part of ['package.json', 'dist'])
      cpSync(join(root, 'packages', name, part), join(modules, '@corpuscle', name, part), {
        recursive: true,
        filter: (file) => !/\.(map|cjs|d\.ts)$/.test(file),
      });
  for (const [name, user] of Object.entries(others)) {
    const link = join(modules, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(root, 'packages', user, 'node_modules', name)), link);
  }
  cpSync(page, join(folder, 'page.js'));
}
