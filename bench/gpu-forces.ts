// Forces, energy and pressure of step 0 on WebGPU in all precisions, against the CPU in f64:
//
//   npx tsx bench/gpu-forces.ts [atoms …, default 32000 1048576] [--software] [--write]
//
// Crystals of the melt's density, every particle displaced by up to 0.1 along each axis, so that forces do not vanish. The
// CPU starts from the same particles in a grid of its own; particles are compared by id. Of the first size also in a skewed
// box, as a mixture of two types with forces shifted to zero, and as silicon, whose particles hand forces to neighbors. The potential of the others is cut off: in single
// precision a pair more or less at the cutoff may make the largest difference.
import { parseArgs } from 'node:util';
import { SharedHeap, uniform } from '@corpuscle/core';
import {
  createGrid,
  type ForceTerm,
  type ForceTotals,
  lattice,
  lennardJonesForce,
  type ParticleFrame,
  silicon,
  stillingerWeberForce,
  zeroForces,
} from '@corpuscle/operators';
import {
  computeCellParticles,
  createExecutionContext,
  newestOnHost,
  type Precision,
  updateNeighbors,
} from '@corpuscle/patterns';
import { system } from './melt/system.js';
import { forceDifference, forcesById } from './support/forces.js';
import { Report } from './support/Report.js';
import { table } from './support/table.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    software: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
if (options.software) process.env.CORPUSCLE_SOFTWARE_GPU = '1';
const { density, rcut, skin, seed } = system;
const types = ['A', 'B'].map((name) => ({ name, mass: 1 }));

interface Case {
  readonly name: string;
  readonly frame: ParticleFrame;
  readonly term: ForceTerm;
}

/** Components of all forces in the order of ids, and the sums over all pairs. */
interface Evaluation {
  readonly forces: readonly Float64Array[];
  readonly totals: ForceTotals;
  readonly where: string;
}

const melt = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut });
const mixture = lennardJonesForce({
  types: ['A', 'B'],
  pairs: [
    { types: ['A', 'A'], epsilon: 1, sigma: 1, rcut: 2.5 },
    { types: ['A', 'B'], epsilon: 1.5, sigma: 0.8, rcut: 2 },
    { types: ['B', 'B'], epsilon: 0.5, sigma: 0.88, rcut: 2.2 },
  ],
  shift: 'force',
});

const diamond = stillingerWeberForce({ types: ['A'], triplets: [silicon] });

/** A cube of fcc cells, its particles displaced. */
function shaken(atoms: number, siteTypes = ['A']): ParticleFrame {
  const cells = Math.round(Math.cbrt(atoms / 4));
  const crystal = lattice({
    structure: 'fcc',
    density,
    repeat: [cells, cells, cells],
    types: siteTypes,
  });
  return displaced(crystal);
}

/** The same of silicon. */
function shakenSilicon(atoms: number): ParticleFrame {
  const cells = Math.round(Math.cbrt(atoms / 8));
  const repeat = [cells, cells, cells] as const;
  return displaced(lattice({ structure: 'diamond', latticeConstant: 5.431, repeat }));
}

function displaced(crystal: ParticleFrame): ParticleFrame {
  const position = crystal.position.map((x, k) => x + 0.2 * (uniform(seed, 0, k) - 0.5));
  return { ...crystal, position };
}

/** The same crystal in another cell of its lattice: skewed by whole cells, so that it stays perfect across the faces. */
function skewed(frame: ParticleFrame): ParticleFrame {
  const edge = frame.lattice![0]!;
  const step = edge / Math.round(Math.cbrt(frame.count / 4));
  const tilt = (part: number) => step * Math.round((part * edge) / step);
  return {
    ...frame,
    lattice: [edge, 0, 0, tilt(0.3), edge, 0, tilt(0.15), tilt(-0.2), edge],
  };
}

async function evaluate(
  { frame, term }: Case,
  backend: 'cpu' | 'webgpu',
  precision: Precision,
): Promise<Evaluation> {
  const heap = new SharedHeap();
  await using ctx = await createExecutionContext({ backend, threads: 1, precision, heap });
  const grid = createGrid(frame, types, heap);
  await updateNeighbors(grid, ctx, { rcut: term.rcut, skin, force: true });
  computeCellParticles(grid, zeroForces, ctx, {});
  const request = { forces: true, energies: false, totals: true };
  const totals = term.totals(await term.compute(grid, ctx, request));
  await newestOnHost(grid, ctx);
  return { forces: forcesById(grid), totals, where: ctx.backendReason };
}

const trace = ({ virial }: ForceTotals): number => virial[0] + virial[1] + virial[2];

/** The row of a table: how far one evaluation is from another. */
function compare(ours: Evaluation, exact: Evaluation): string[] {
  const { rms, most } = forceDifference(ours.forces, exact.forces);
  const pressure = trace(exact.totals);
  const virial = exact.totals.virial.map((w, k) => Math.abs(ours.totals.virial[k]! - w));
  const off = [
    rms,
    most,
    Math.abs(ours.totals.energy / exact.totals.energy - 1),
    Math.abs(trace(ours.totals) / pressure - 1),
    Math.max(...virial) / Math.abs(pressure / 3),
  ];
  return off.map((x) => x.toExponential(1));
}

const sizes = positionals.length > 0 ? positionals.map(Number) : [32_000, 1_048_576];
const small = shaken(sizes[0]!);
const cases: Case[] = [
  ...sizes.map((atoms) => ({ name: 'crystal', frame: shaken(atoms), term: melt })),
  { name: 'skewed box', frame: skewed(small), term: melt },
  { name: 'two types', frame: shaken(sizes[0]!, ['A', 'B', 'A', 'A']), term: mixture },
  { name: 'silicon', frame: shakenSilicon(sizes[0]!), term: diamond },
];

const report = new Report('gpu-forces: forces of step 0 on WebGPU', 'GPU');
const rows: string[][] = [];
let where = '';
for (const one of cases) {
  const exact = await evaluate(one, 'cpu', 'f64');
  for (const precision of ['f32', 'mixed', 'f64'] as const) {
    const ours = await evaluate(one, 'webgpu', precision);
    where = ours.where;
    rows.push([one.name, String(one.frame.count), precision, ...compare(ours, exact)]);
  }
}
report.add(
  `${where}. Density ${density}, cutoff ${rcut}, skin ${skin}; relative differences from the CPU in f64, by particle.`,
);
const head = ['system', 'atoms', 'precision', 'forces, rms', 'largest, of the largest force'];
report.add(table([...head, 'energy', 'pressure', 'its components'], rows));
report.finish(options.write);
