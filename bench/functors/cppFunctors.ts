import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../cpp/functors.cpp', import.meta.url));
const folder = fileURLToPath(new URL('../../.cache/bench/', import.meta.url));
const program = `${folder}functors`;
const flags = ['-O3', '-march=native', '-std=c++17'];

export interface CppResult {
  /** Milliseconds for one pass over the list. */
  readonly milliseconds: number;
  /** Norm of all outputs of one pass: says whether both codes computed the same. */
  readonly norm: number;
}

/** Builds the C++ program. Its name for tables, or why there is none. */
export function buildCpp(): { readonly compiler: string } | { readonly missing: string } {
  mkdirSync(folder, { recursive: true });
  try {
    const version = execFileSync('g++', ['-dumpfullversion'], { encoding: 'utf8' }).trim();
    execFileSync('g++', [...flags, source, '-o', program]);
    return { compiler: `g++ ${version} ${flags.slice(0, 2).join(' ')}` };
  } catch (error) {
    return { missing: `C++ left out: ${String(error).split('\n')[0]}` };
  }
}

/** Runs it on a dumped list; results by "<f64 or f32> <name of the functor>". */
export function runCpp(list: string, rcut: number, repeats: number): Map<string, CppResult> {
  const text = execFileSync(program, [list, String(rcut), String(repeats)], { encoding: 'utf8' });
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  return new Map(
    rows.map(([real, name, ms, norm]) => [
      `${real} ${name}`,
      { milliseconds: Number(ms), norm: Number(norm) },
    ]),
  );
}
