import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSimulation, type OperatorDefinition, runSimulation } from '@corpuscle/core';
import { createRegistry, gridKey } from '@corpuscle/operators';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import type { Workplace } from './runCli.js';

interface Start {
  readonly lattice: readonly number[];
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

/** A run of LAMMPS; rows are step, pe, ke, pressure, xlo ylo zlo, lx ly lz, xy xz yz. */
export interface BoxCase {
  readonly start: 'cube' | 'prism';
  readonly steps: number;
  readonly rows: readonly (readonly number[])[];
  /** Of the first ids, after the last step; positions are unwrapped. */
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

const reference = JSON.parse(
  readFileSync(fileURLToPath(new URL('../data/boxes/reference.json', import.meta.url)), 'utf8'),
) as {
  readonly starts: Readonly<Record<string, Start>>;
  readonly cases: Readonly<Record<string, BoxCase>>;
};

/** Runs of LAMMPS of 2021-09-29 in boxes that change; test/data/boxes/generate.ts has the commands. */
export const boxCase = (name: string): BoxCase => reference.cases[name]!;

/** The same start as a file. */
export function writeStart(work: Workplace, name: 'cube' | 'prism'): void {
  const { lattice, positions, velocities } = reference.starts[name]!;
  const atoms = Array.from({ length: positions.length / 3 }, (_, k) => {
    const of = (values: readonly number[]) => values.slice(3 * k, 3 * k + 3).join(' ');
    return `A ${of(positions)} ${of(velocities)} ${k + 1}`;
  });
  const header = `Lattice="${lattice.join(' ')}" Properties=species:S:1:pos:R:3:velo:R:3:id:I:1 pbc="T T T"`;
  work.write({ 'start.xyz': `${atoms.length}\n${header}\n${atoms.join('\n')}\n` });
}

/** How such a run ends here. */
export interface BoxResult {
  /** As in `BoxCase`, of the last step. */
  readonly row: readonly number[];
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly lattice: readonly number[];
}

/** What a run has otherwise than the reference. */
interface BoxOptions {
  readonly dt?: number;
  /** Of the potential at its cutoff. */
  readonly shift?: 'none' | 'energy' | 'force';
  /** Steps between rows of the table. */
  readonly every?: number;
  /** Default: that of Lennard-Jones. */
  readonly force?: string;
  /** Operators of one's own. */
  readonly operators?: readonly OperatorDefinition[];
}

/** Runs a start with parts of a YAML file of one's own. */
export async function runBox(
  work: Workplace,
  context: ExecutionContext,
  of: Pick<BoxCase, 'start' | 'steps'>,
  parts: string,
  { dt = 0.005, shift = 'none', every = 10, operators = [], ...options }: BoxOptions = {},
): Promise<BoxResult> {
  const { force = `lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5, shift: ${shift} }` } =
    options;
  writeStart(work, of.start);
  work.write({
    'run.yaml': `
configuration: { units: lj, seed: 1, deterministic: true }
global: { dt: ${dt}, rcut_inc: 0.3, end_iteration: ${of.steps}, thermo_frequency: ${every} }
particle_types: { A: { mass: 1 } }
setup_system:
  - read_extended_xyz: { file: start.xyz }
compute_force:
  - ${force}
simulation: molecular_dynamics
${parts}`,
  });
  const simulation = loadSimulation([work.path('run.yaml')], {
    operators: createRegistry().add(...operators),
  });
  const outputDirectory = work.path('out');
  const { state } = await runSimulation(simulation, { context, outputDirectory });
  const grid = state.get(gridKey);
  await newestOnHost(grid, context);
  const order = grid.rowsById();
  const vectors = (block: string): Float64Array => {
    const { array } = grid.block(block);
    return Float64Array.from({ length: 3 * grid.count }, (_, k) =>
      Number(array[4 * order[Math.floor(k / 3)]! + (k % 3)]),
    );
  };
  const last = readFileSync(work.path('out/thermo.csv'), 'utf8').trim().split('\n').at(-1)!;
  const [step, , , pe, ke, , pressure] = last.split(',').map(Number);
  const m = grid.domain.matrix;
  const box = [m[0]!, m[4]!, m[8]!, m[3]!, m[6]!, m[7]!];
  return {
    row: [step!, pe!, ke!, pressure!, ...grid.domain.origin, ...box],
    positions: vectors('position'),
    velocities: vectors('velocity'),
    lattice: m,
  };
}
