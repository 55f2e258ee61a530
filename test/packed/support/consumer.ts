import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PackedPackage, root } from '../../../scripts/support/packPackages.js';

const run = promisify(execFile);

/** A project that uses the packages from their tarballs, somewhere outside the repository. */
export interface Consumer {
  readonly folder: string;
  /** Bytes of node_modules. */
  readonly size: number;
}

const NPM = ['--omit=optional', '--no-audit', '--no-fund', '--prefer-offline'];

/** Installs tarballs into an empty project, without optional dependencies. */
export async function installPacked(
  packed: readonly PackedPackage[],
  folder: string,
): Promise<Consumer> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const tarballs = packed.map(({ tarball }) => tarball);
  await run('npm', ['install', ...NPM, ...tarballs], { cwd: folder });
  return { folder, size: bytesOf(join(folder, 'node_modules')) };
}

/** What is optional, and where the repository has it. */
const OPTIONAL = {
  webgpu: 'packages/patterns',
  '@swc/wasm-typescript': 'packages/cli',
  'gpu.js': 'packages/webgl',
  koffi: 'packages/mpi',
  '@sparticuz/chromium': '.',
  '@types/node': '.',
  '@webgpu/types': '.',
} as const;

/** A copy of a project with all that is optional, taken from the repository's own installation. */
export function withOptional(consumer: Consumer, folder: string): void {
  cpSync(consumer.folder, folder, { recursive: true, verbatimSymlinks: true });
  for (const [name, from] of Object.entries(OPTIONAL)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(root, from, 'node_modules', name)), link);
  }
}

/** What a program printed, and how it ended. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs commands of bash with the Node in a folder before all others. */
export async function shell(
  text: string,
  { cwd, node, env = {} }: { cwd: string; node: string; env?: Record<string, string> },
): Promise<Outcome> {
  const path = `${node}:${process.env.PATH}`;
  const clean = {
    ...process.env,
    NODE_OPTIONS: '',
    CORPUSCLE_SOFTWARE_GPU: '',
    ...env,
    PATH: path,
  };
  try {
    const { stdout, stderr } = await run('bash', ['-ec', text], { cwd, env: clean });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

/** Writes files below a folder. */
export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => existsSync(file))
    .reduce((sum, file) => sum + statSync(file).size, 0);
}
