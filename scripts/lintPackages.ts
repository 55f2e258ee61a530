// Checks the packages as they would be published: publint, @arethetypeswrong/cli, and what npm shows of them.
// Build first. The last line is the count.                                          pnpm run lint:packages
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { measureDeclarations } from './support/declarations.js';
import { type PackedPackage, packPackages, root } from './support/packPackages.js';

const run = promisify(execFile);

type Check = (packed: PackedPackage) => Promise<void>;

/** Lines of code that the declarations of a package may have. Docstrings do not count: lint:docs asks for them. */
const CODE = 1300;
/** The same for operators, which has a function and its options for each thing that is computed. */
const OPERATORS = 2200;
/** The same with docstrings, for patterns, whose declarations once showed its engines. */
const PATTERNS = 1300;
/** Types of an engine's folder that are public: what `probeGpu` and `probePrecisions` say. */
const ANSWERS = ['AdapterOptions', 'DevicePrecisions', 'GpuInfo'];

const checks: Readonly<Record<string, Check>> = {
  publint: async ({ tarball }) => {
    await run('npx', ['publint', '--strict', tarball], { cwd: root });
  },
  // The packages are ES modules only: what CommonJS and old resolvers see is not checked.
  attw: async ({ tarball }) => {
    await run('npx', ['attw', '--profile', 'esm-only', tarball], { cwd: root });
  },
  declarations: async ({ folder }) => {
    const { lines, code, engineNames } = measureDeclarations(folder);
    const most = folder === 'operators' ? OPERATORS : CODE;
    if (code > most) throw new Error(`${code} lines of declarations, more than ${most}`);
    if (folder === 'patterns' && lines > PATTERNS)
      throw new Error(`${lines} lines of declarations and docstrings, more than ${PATTERNS}`);
    const names = engineNames.filter((name) => !ANSWERS.includes(name));
    if (names.length > 0)
      throw new Error(`declarations show names of engines: ${names.join(', ')}`);
  },
  'what npm shows': async ({ folder, tarball }) => {
    const files = (await run('tar', ['tzf', tarball])).stdout.split('\n');
    const wanted = ['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts'];
    const missing = wanted.filter((file) => !files.includes(`package/${file}`));
    const { stdout } = await run('tar', ['xzOf', tarball, 'package/package.json']);
    const manifest: Record<string, unknown> = JSON.parse(stdout);
    const keys = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license'];
    missing.push(...keys.filter((key) => !manifest[key]));
    if ((manifest.repository as { directory?: string })?.directory !== `packages/${folder}`)
      missing.push('repository.directory');
    if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
  },
};

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-pack-'));
let passed = 0;
let failed = 0;
try {
  for (const packed of await packPackages(folder)) {
    for (const [what, check] of Object.entries(checks)) {
      try {
        await check(packed);
        passed++;
      } catch (error) {
        failed++;
        const { stdout = '', message } = error as { stdout?: string; message: string };
        console.error(`${packed.name}, ${what}: ${message}\n${stdout}`);
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
