import { SharedHeap } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  kick,
  kickDrift,
  type LennardJonesShift,
  lattice,
  lennardJonesForce,
  zeroForces,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  type HostEngine,
  prepareCellParticles,
  prepareNeighborLists,
} from '@corpuscle/patterns';
import type { Rate } from '../peers/Peer.js';
import { type MeltCase, system } from './system.js';

/**
 * `exact` rebuilds lists when a particle has moved half the skin, `tuned` too, with a skin of the engine's choice;
 * `every 20` as in.lj does, outrun by fast particles.
 */
export type ListPolicy = 'exact' | 'tuned' | 'every 20';

export interface Engine {
  readonly name: string;
  readonly precision: 'f64' | 'f32' | 'mixed';
  readonly lowering: 'simd' | 'scalar' | 'javascript';
}

export const engines: Readonly<Record<string, Engine>> = {
  f64: { name: 'corpuscle f64', precision: 'f64', lowering: 'simd' },
  mixed: { name: 'corpuscle mixed', precision: 'mixed', lowering: 'simd' },
  f32: { name: 'corpuscle f32', precision: 'f32', lowering: 'simd' },
  scalar: { name: 'corpuscle f64, one lane', precision: 'f64', lowering: 'scalar' },
  javascript: { name: 'corpuscle f64, JavaScript', precision: 'f64', lowering: 'javascript' },
};

/** How large the melt is, where it runs, and what is put around the engine: ranks. */
type MeltSetup = Pick<MeltCase, 'repeat' | 'threads'> & {
  readonly around?: (engine: HostEngine) => HostEngine;
};

export interface OurMelt {
  readonly ctx: ExecutionContext;
  readonly grid: ReturnType<typeof createGrid>;
  /** Goes on for so many steps. */
  run(steps: number): Rate;
  /** Steps between rebuilds and where the time went, so far. */
  details(): string;
  close(): Promise<void>;
}

/** Sets up the melt on our engine and computes the first forces. */
export async function ourMelt(
  { repeat, threads, around }: MeltSetup,
  { precision, lowering }: Engine,
  policy: ListPolicy,
  shift: LennardJonesShift = 'none',
): Promise<OurMelt> {
  const { density, temperature, rcut, skin, dt, seed } = system;
  const heap = new SharedHeap();
  const cpu = { backend: 'cpu', threads, precision, lowering, heap } as const;
  const ctx = await createExecutionContext({ ...cpu, around });
  const crystal = lattice({ structure: 'fcc', density, repeat: [repeat, repeat, repeat] });
  const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature, seed, method: 'lammps_geom' });
  const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut, shift });
  const zero = prepareCellParticles(grid, zeroForces, ctx);
  const push = prepareCellParticles(grid, kickDrift, ctx, { params: { dt, halfDt: dt / 2 } });
  const pushAgain = prepareCellParticles(grid, kick, ctx, { params: { halfDt: dt / 2 } });
  const rebuild = prepareNeighborLists(grid, ctx, { rcut, skin, force: true });
  const asked = policy === 'tuned' ? 'auto' : skin;
  const update = prepareNeighborLists(grid, ctx, { rcut, skin: asked });
  const pairs = term.prepare!(grid, ctx, { forces: true, energies: false, totals: false });
  const forces = () => {
    zero.run();
    for (const call of pairs.calls) call.run();
  };
  rebuild.run();
  forces();
  await ctx.ready();
  let step = 0;
  let rebuilds = 0;
  const spent = { lists: 0, forces: 0, rest: 0 };
  let chosen: number | undefined;
  const run = (steps: number): Rate => {
    const before = process.cpuUsage();
    const start = performance.now();
    for (let k = 0; k < steps; k++) {
      step++;
      const t0 = performance.now();
      push.run();
      const t1 = performance.now();
      if (policy !== 'every 20') {
        const { rebuilt, tunedSkin } = update.run().value;
        if (rebuilt) rebuilds++;
        chosen = tunedSkin;
      } else if (step % 20 === 0) {
        rebuild.run();
        rebuilds++;
      }
      const t2 = performance.now();
      forces();
      const t3 = performance.now();
      pushAgain.run();
      spent.lists += t2 - t1;
      spent.forces += t3 - t2; // with the build of lists, which happens at their first use
      spent.rest += t1 - t0 + performance.now() - t3;
    }
    const wall = (1000 * steps) / (performance.now() - start);
    const { user, system: kernel } = process.cpuUsage(before);
    return { wall, processor: (1e6 * steps * ctx.threads) / (user + kernel) };
  };
  const details = () => {
    const parts = Object.entries(spent).map(([what, ms]) => `${what} ${(ms / step).toFixed(2)}`);
    const tuned = chosen === undefined ? '' : `skin ${chosen}, `;
    return `${tuned}a list lasts ${(step / Math.max(1, rebuilds)).toFixed(1)} steps; ms a step: ${parts.join(', ')}`;
  };
  return { ctx, grid, run, details, close: () => ctx.close() };
}
