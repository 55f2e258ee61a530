import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canAddressWidely } from '../../packages/functor/src/lower/wasm/memories.js';
import { hasMpi } from '../support/mpirun.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

const hasLongForm = /from '[^']*\/support\/runs\.js'/;
/** Replaces modules, destroys devices of contexts or sets flags of V8: other files must not see it. */
const changesItsProcess = /\bvi\.mock\(|\b(gpu\.device|lost)\.destroy\(\)|\bsetFlagsFromString\(/;

/** Paths relative to the root. */
export interface TestFiles {
  /** They run one after the other in few processes. */
  readonly shared: readonly string[];
  /** Each has a process of its own. */
  readonly alone: readonly string[];
}

/** Finds all test files; `long`: only those that have a long form, which import `test/support/runs.ts`. */
export function testFiles({ long }: { long: boolean }): TestFiles {
  const shared: string[] = [];
  const alone: string[] = [];
  const withRanks = runRanks();
  const withWideHeaps = runWideHeaps();
  for (const folder of ['packages', 'test'])
    for (const name of testsIn(join(root, folder))) {
      if (!withRanks && name.startsWith('ranks/')) continue;
      if (!withWideHeaps && name.includes('/wide/')) continue;
      const text = readFileSync(join(root, folder, name), 'utf8');
      if (long && !hasLongForm.test(text)) continue;
      (changesItsProcess.test(text) ? alone : shared).push(`${folder}/${name}`);
    }
  return { shared, alone };
}

/** Paths of test files, relative to a folder. What is installed and built has none: it is a hundred times as many files. */
function* testsIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (entry.isFile() && name.endsWith('.test.ts')) yield name;
    if (!entry.isDirectory() || name === 'node_modules' || name === 'dist') continue;
    for (const inside of testsIn(join(folder, name))) yield `${name}/${inside}`;
  }
}

/** Whether tests of ranks are run: where there is no MPI they are left out, but not in continuous integration. */
function runRanks(): boolean {
  if (process.env.CI === 'true' || hasMpi()) return true;
  console.log('There is no MPI (apt-get install openmpi-bin): the tests of ranks are left out.');
  return false;
}

/** Whether tests of more than 4 GiB are run: `test:wide` runs them with a Node that has 64-bit addresses. */
function runWideHeaps(): boolean {
  if (canAddressWidely) return true;
  console.log(
    `Node ${process.versions.node} has no 64-bit WebAssembly (Node 24 has): the tests of more than 4 GiB are left out.`,
  );
  return false;
}
