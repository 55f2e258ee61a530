import { createGrid, lattice } from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GpuDevice } from '../packages/patterns/src/gpu/device/GpuDevice.js';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
import { NEAR, OF_CELLS, RARE } from '../packages/patterns/src/gpu/neighbors/EntryFormat.js';
import { isLong, runs } from './support/runs.js';
import { runText, type TextRun } from './support/runText.js';

/** More atoms than lists that are built in place may have, for as many steps as lists last twice, or three times. */
const melt = `
configuration: { units: lj }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: ${runs(16, 24)}, thermo_frequency: 8 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [11, 11, 10], types: [A] }
  - init_temperature: { temperature: 1.44, seed: 7 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.0 }
simulation: molecular_dynamics
`;

/** What a card has at a hundred million atoms: positions that just fit one binding, and all else in pieces. */
const BINDING = 17 * 4840;

/** What it has at two hundred million: rows of 16 bytes take two bindings. */
const SEGMENT = 2 ** 16;

/** Sorts and lists take what the device has when they are first made. */
async function limitBindings(context: ExecutionContext, bytes: number): Promise<void> {
  const { gpu } = context.engines.accelerator as GpuEngine;
  const { segmentBytes } = gpu;
  gpu.segmentBytes = bytes;
  const crystal = lattice({ structure: 'fcc', density: 1, repeat: [3, 3, 3] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], context.heap);
  await updateNeighbors(grid, context, { rcut: 1, skin: 0.1, force: true });
  grid.free();
  gpu.segmentBytes = segmentBytes;
}

/** Blocks, lists and what a sort needs are large; there is room for records of updates. */
function inSegments(gpu: GpuDevice, bytes: number): void {
  gpu.segmentBytes = bytes;
  gpu.segmentsOf = ({ label, size }) => (/records/.test(label) ? 1 : Math.ceil(size / bytes));
  Object.defineProperty(gpu, 'mostBytes', { value: gpu.limits.maxBufferSize });
}

interface Limits {
  readonly binding?: number;
  readonly piece?: number;
  readonly segment?: number;
  /** Particles up to which entries of lists tell images. */
  readonly withImages?: number;
  /** Particles from which on kernels look first whether a neighbor is an image. */
  readonly manyFrom?: number;
}

async function run(limits: Limits) {
  await using context = await createExecutionContext({ backend: 'webgpu', deterministic: true });
  const { gpu, neighbors, speculation } = context.engines.accelerator as GpuEngine;
  if (limits.piece) gpu.pieceBytes = limits.piece;
  if (limits.binding) await limitBindings(context, limits.binding);
  if (limits.segment) {
    inSegments(gpu, limits.segment);
    speculation.largeSnapshot = 0;
    neighbors.largeLists = 0;
  }
  if (limits.withImages !== undefined) neighbors.reach.mostWithImages = limits.withImages;
  if (limits.manyFrom !== undefined) neighbors.reach.manyFrom = limits.manyFrom;
  neighbors.builder.packFrom = 0;
  const result = await runText(melt, context);
  const { chunks, format } = neighbors.lists(result.grid)!;
  const { pipelines } = gpu.counters;
  return { ...result, format, pipelines, chunks: chunks.length };
}

const rows = ({ table, values }: TextRun) => [table, values('rx'), values('vy'), values('id')];

describe('a device whose bindings are small', () => {
  beforeAll(() => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
  });

  it('gives the bits of one where all fits, with lists and blocks in pieces', async () => {
    const whole = await run({});
    const pieces = await run({ binding: BINDING, piece: 50_000, manyFrom: 0 });
    expect([whole.chunks, pieces.chunks > 10]).toEqual([1, true]);
    expect([whole.format, pieces.format]).toEqual([NEAR, RARE]);
    expect(rows(pieces)).toEqual(rows(whole));
    if (!isLong) return;
    const segments = await run({ segment: SEGMENT, withImages: 0, manyFrom: 0, piece: 50_000 });
    expect([segments.chunks > 10, segments.format]).toEqual([true, OF_CELLS]);
    // Each kernel that meets a large buffer has a second text.
    expect(segments.pipelines).toBeGreaterThan(whole.pipelines + 5);
    expect(rows(segments)).toEqual(rows(whole));
  });

  it('has a kernel for what follows bonds, also where it would bin with one binding too many', async () => {
    // Positions, ids, forces, velocities, masses, tables of bonds, values of the thermostat, records of displacements.
    const bonds = Array.from({ length: 108 }, (_, k) => [2 * k, 2 * k + 1]);
    const text = `
configuration: { units: lj, seed: 3 }
global: { dt: 0.002, rcut_inc: 0.2, end_iteration: 80, thermo_frequency: 20 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: sc, density: 0.5, repeat: [6, 6, 6], types: [A] }
  - bond_particles: { bonds: ${JSON.stringify(bonds)} }
  - init_temperature: { temperature: 1.5 }
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2 }
  - harmonic_bond_force: { k: 60, r0: 1.2, rcut: 3 }
numerical_scheme: { langevin: { temperature: 1.5, friction: 5 } }
simulation: molecular_dynamics
`;
    const energies = async (backend: 'cpu' | 'webgpu') => {
      await using context = await createExecutionContext({ backend });
      return (await runText(text, context)).table.total_energy!;
    };
    const [cpu, device] = [await energies('cpu'), await energies('webgpu')];
    device.forEach((energy, k) => {
      expect(energy / cpu[k]!).toBeCloseTo(1, 4);
    });
  });
});
