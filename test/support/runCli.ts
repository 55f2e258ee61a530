import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { main } from '@corpuscle/cli';

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in this process, on one thread where a test asks for no number: each more costs a fifth of a second. */
export async function runCli(argv: readonly string[]): Promise<CliResult> {
  let out = '';
  let err = '';
  const isAny = argv[0] === 'run' && !argv.includes('--threads');
  const code = await main(isAny ? [...argv, '--threads', '1'] : argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    terminal: false,
  });
  return { code, out, err };
}

/** A folder for one test file, with inputs written on demand. */
export class Workplace {
  readonly root = mkdtempSync(join(tmpdir(), 'corpuscle-cli-'));

  path(name: string): string {
    return join(this.root, name);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), text);
    }
  }

  /** Lets commands that are started in the root use one thread of the software adapter each, as tests do. */
  limitSoftwareGpu(): void {
    copyFileSync(new URL('../../SwiftShader.ini', import.meta.url), this.path('SwiftShader.ini'));
  }

  /** Every file below the root. */
  files(): string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)))
      .sort();
  }

  clear(): void {
    for (const name of readdirSync(this.root)) rmSync(this.path(name), { recursive: true });
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}

/** The parts of a small melt; a test replaces some of them. `null` leaves a part out. */
export function meltYaml(parts: Readonly<Record<string, string | null>> = {}): string {
  const all: Record<string, string | null> = {
    configuration: '{ units: lj, seed: 87287 }',
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 20, thermo_frequency: 10 }',
    particle_types: '{ A: { mass: 1.0 } }',
    setup_system:
      '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 4, 4], types: [A] }\n  - init_temperature: { temperature: 1.44 }',
    compute_force: '\n  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }',
    simulation: 'molecular_dynamics',
    ...parts,
  };
  return Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}:${value!.startsWith('\n') ? '' : ' '}${value}\n`)
    .join('');
}
