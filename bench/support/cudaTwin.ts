import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A program in CUDA that does what a bench does. */
export interface CudaTwin {
  /** What it prints; in one clause why it printed nothing. */
  run(args: readonly string[]): { readonly printed: string } | string;
  close(): void;
}

/**
 * Builds bench/cuda/<name>.cu for the GPU of this machine.
 * @returns the program, or in one clause why there is none.
 */
export function cudaTwin(name: 'lj' | 'coordination'): CudaTwin | string {
  const nvcc = findNvcc();
  if (!nvcc) return 'nvcc is neither on the PATH nor in /usr/local/cuda/bin';
  const source = fileURLToPath(new URL(`../cuda/${name}.cu`, import.meta.url));
  if (!existsSync(source)) return `${source} is not there`;
  const folder = mkdtempSync(join(tmpdir(), 'corpuscle-twin-'));
  const program = join(folder, name);
  const built = spawnSync(nvcc, ['-O3', '-arch=native', '-o', program, source], {
    encoding: 'utf8',
  });
  if (built.status !== 0) {
    rmSync(folder, { recursive: true });
    return `${nvcc} failed: ${reasonOf(built.stderr)}`;
  }
  return {
    run(args) {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
      return status === 0 ? { printed: stdout.trim() } : `it failed: ${reasonOf(stderr)}`;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

function findNvcc(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/cuda/bin'];
  return folders.map((folder) => join(folder, 'nvcc')).find((file) => existsSync(file));
}

/** The line of a program's complaints that says most. */
function reasonOf(text: string): string {
  const lines = text.trim().split('\n');
  return lines.find((line) => line.includes('error')) ?? lines.at(-1)!;
}
