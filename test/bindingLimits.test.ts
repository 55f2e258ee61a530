import { createGrid, lattice } from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { beforeAll, describe, expect, it } from 'vitest';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
import { runText, type TextRun } from './support/runText.js';

/** 6,912 atoms for forty steps, in which they melt. */
const melt = `
configuration: { units: lj }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [12, 12, 12], types: [A] }
  - init_temperature: { temperature: 1.44, seed: 7 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.0 }
simulation: molecular_dynamics
`;

/** What a card has at a hundred million atoms: positions that just fit one binding, and all else in pieces. */
const BINDING = 17 * 6912;

/** Sorts and lists take what the device has when they are first made. */
async function limitBindings(context: ExecutionContext, bytes: number): Promise<void> {
  const { gpu } = context.engines.accelerator as GpuEngine;
  const { limits } = gpu;
  const set = (value: typeof limits) =>
    Object.defineProperty(gpu, 'limits', { value, configurable: true });
  set({ ...limits, maxStorageBufferBindingSize: bytes });
  const crystal = lattice({ structure: 'fcc', density: 1, repeat: [3, 3, 3] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], context.heap);
  await updateNeighbors(grid, context, { rcut: 1, skin: 0.1, force: true });
  grid.free();
  set(limits);
}

async function run(limits: { readonly binding?: number; readonly piece?: number }) {
  await using context = await createExecutionContext({ backend: 'webgpu', deterministic: true });
  const { gpu, neighbors } = context.engines.accelerator as GpuEngine;
  if (limits.piece) gpu.pieceBytes = limits.piece;
  if (limits.binding) await limitBindings(context, limits.binding);
  neighbors.builder.packFrom = 0;
  const result = await runText(melt, context);
  const chunks = neighbors.lists(result.grid)!.chunks.length;
  return { ...result, chunks };
}

const rows = ({ table, values }: TextRun) => [table, values('rx'), values('vy'), values('id')];

describe('a device whose bindings are small', () => {
  beforeAll(() => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
  });

  it('gives the bits of one where all fits, with lists and blocks in pieces', async () => {
    const whole = await run({});
    const pieces = await run({ binding: BINDING, piece: 50_000 });
    expect([whole.chunks, pieces.chunks > 10]).toEqual([1, true]);
    expect(rows(pieces)).toEqual(rows(whole));
  });
});
