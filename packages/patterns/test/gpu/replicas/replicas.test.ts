import { Domain } from '@corpuscle/core';
import { pairFunctor, valueFunctor } from '@corpuscle/functor';
import { expect, it, vi } from 'vitest';
import { runs as cases, itOnce } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { openReplicas } from '../../../src/context/openReplicas.js';
import { ASTRAY, STOPPED } from '../../../src/gpu/neighbors/displacementText.js';
import { ReplicaSteps } from '../../../src/gpu/replicas/ReplicaSteps.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import type { NeighborUpdate } from '../../../src/plan/calls.js';
import { prepareValues } from '../../../src/value/prepareValues.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { clearAll, drift, push, real, repel, velocity } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const RCUT = 1.5;
const DT = 0.01;
const FIELDS = ['rx', 'ry', 'rz', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz'];

const tick = valueFunctor({ name: 'tick', values: { ticks: 'real' } }, (v) => {
  v.ticks += 1;
});

/** The repulsion with its energy. */
const repelWithEnergy = pairFunctor(
  { name: 'repel_with_energy', central: { ...real, ep: 'real' }, params: { strength: 'real' } },
  (i, _j, d, p) => {
    const u = p.strength * (2.25 - d.r2);
    i.fx += u * d.x;
    i.fy += u * d.y;
    i.fz += u * d.z;
    i.ep += 0.125 * p.strength * (2.25 - d.r2) * (2.25 - d.r2);
  },
);

interface Replica {
  readonly seed: number;
  readonly count: number;
  readonly strength: number;
  /** Whether particles move at the end of a step, after the forces. */
  readonly leaps?: boolean;
  /** Of the box, which is a cube; particles begin in a corner of it where it is large. */
  readonly edge?: number;
  /** Threads a particle. */
  readonly lanes?: 1 | 8;
}

/** Particles after some steps, by their id, and what list updates found. @param runs steps in a row; 0: a step with its energy */
async function run(
  ctx: ExecutionContext,
  { seed, count, strength, leaps = false, edge = 5, lanes = 1 }: Replica,
  runs: readonly number[],
) {
  // A software adapter takes no series by itself, and workgroups of it do not wait for each other: each replica has one.
  engineOf(ctx).gpu.resident.isOn = true;
  engineOf(ctx).pairs.lanes = lanes;
  const domain = Domain.orthorhombic([edge, edge, edge]);
  const next = sequence(seed);
  const places = Array.from({ length: count }, () => [5 * next(), 5 * next(), 5 * next()] as const);
  const grid = gridOf(ctx.heap, domain, places);
  for (const name of Object.keys(velocity))
    grid.setValues(
      name,
      places.map(() => 2 * next() - 1),
    );
  const lists = { rcut: RCUT, skin: 0.4 };
  await updateNeighbors(grid, ctx, lists);
  let updates = 0;
  const onUpdate = (update: NeighborUpdate) => {
    updates += update.updates ?? 1;
  };
  const counted = ctx.value({ ticks: 0 });
  const energy = ctx.value({ ep: 0 });
  const forces = { fx: 'particles', fy: 'particles', fz: 'particles' } as const;
  const halfKick = prepareCellParticles(grid, push, ctx, { params: { dt: DT / 2 } });
  const moves = prepareCellParticles(grid, drift, ctx, { params: { dt: DT } });
  const before = [
    prepareValues(tick, ctx, { values: { ticks: counted.of('ticks') } }),
    ...(leaps ? [] : [halfKick, moves]),
    prepareNeighborLists(grid, ctx, { ...lists, ahead: true, onUpdate }),
    prepareCellParticles(grid, clearAll, ctx),
  ];
  const end = leaps ? [halfKick, halfKick, moves] : [halfKick];
  const options = { rcut: RCUT, params: { strength } };
  const alone = prepareCellParticlePairs(grid, repel, ctx, { ...options, outputs: forces });
  const outputs = { ...forces, ep: 'total' } as const;
  const more = { ...options, outputs, into: energy };
  const withEnergy = prepareCellParticlePairs(grid, repelWithEnergy, ctx, more);
  const step = prepareStep(ctx, [...before, alone, ...end]);
  const row = prepareStep(ctx, [...before, withEnergy, ...end]);
  const energies: number[] = [];
  for (const steps of runs)
    if (steps > 0) await step.run(steps);
    else {
      await row.run();
      energies.push((await energy.read()).ep);
    }
  const { ticks } = await counted.read();
  await newestOnHost(grid, ctx);
  const ids = [...grid.values('id')];
  const rows = ids.map((_, k) => k).sort((a, b) => ids[a]! - ids[b]!);
  const wrapped = (name: string, value: number) =>
    name[0] === 'r' ? ((value % edge) + edge) % edge : value;
  const found = FIELDS.map((name) => {
    const values = [...grid.values(name)];
    return rows.map((row) => wrapped(name, values[row]!));
  });
  const { counters } = engineOf(ctx).gpu.resident;
  return { found, updates, ticks, energies, together: counters.steps };
}

const replicas: readonly Replica[] = [
  { seed: 1, count: 80, strength: 5 },
  { seed: 2, count: 80, strength: 5 },
  { seed: 3, count: 80, strength: 4 },
];

/** What each does alone, in a context of its own: several tests compare with the same steps. */
const known = new Map<string, ReturnType<typeof run>>();
function runAlone(replica: Replica, runs: readonly number[]): ReturnType<typeof run> {
  const key = JSON.stringify([replica, runs]);
  const opened = async () => {
    await using ctx = await gpuContext();
    return await run(ctx, replica, runs);
  };
  if (!known.has(key)) known.set(key, opened());
  return known.get(key)!;
}

/** Steps of each replica, together and alone. */
async function compare(runs: readonly (readonly number[])[], of: Partial<Replica> = {}) {
  await using shared = await openReplicas(runs.length);
  const contexts = await Promise.all(runs.map(() => shared.context()));
  const together = await Promise.all(
    runs.map(async (each, k) => {
      const made = await run(contexts[k]!, { ...replicas[k]!, ...of }, each);
      await contexts[k]!.close();
      return made;
    }),
  );
  for (const [k, each] of runs.entries()) {
    const alone = await runAlone({ ...replicas[k]!, ...of }, each);
    expect(together[k]!.updates).toBe(alone.updates);
    expect(together[k]!.ticks).toBe(alone.updates);
    for (const [n, energy] of alone.energies.entries())
      expect(together[k]!.energies[n]! / energy).toBeCloseTo(1, 4);
    for (const [n, values] of alone.found.entries()) {
      const found = together[k]!.found[n]!;
      expect(found.length).toBe(values.length);
      const off = values.map((value, row) => Math.abs(found[row]! - value));
      expect(Math.max(...off), FIELDS[n]).toBeLessThan(5e-4);
    }
  }
  return { together: together.map((made) => made.together), mayShare: await shared.mayShare };
}

describeGpu('replicas on one device', () => {
  itOnce('move as each does alone', async () => {
    const steps = [1, 1, 1, 1, 1, 55];
    // The first four steps of a fused step are made call by call.
    expect(await compare([steps, steps, steps])).toEqual({
      together: [56, 56, 56],
      mayShare: true,
    });
  });

  itOnce('leave out what is far from all particles of a workgroup, in wide boxes', async () => {
    const steps = [1, 1, 1, 1, 1, 40];
    const { together } = await compare([steps, steps], { edge: 10, count: 16, lanes: 8 });
    expect(together).toEqual([41, 41]);
  });

  itOnce('keep values that one kernel counts in and another combines sums in', async () => {
    const runs = [5, 0, 4, 0, 4, 0, 4, 0, 4, 0, 6, 0, 7, 0, 3];
    const { together } = await compare([runs, runs, runs]);
    expect(together[0]).toBeGreaterThan(20);
  });

  itOnce('make steps alone that end with positions in the other buffer', async () => {
    const runs = [1, 1, 1, 1, 1, 1, 1, 8, 1, 1];
    const { together } = await compare([runs, runs, runs], { leaps: true });
    expect(together.every((steps) => steps < 18)).toBe(true);
  });

  itOnce('catch up with those that are ahead, and wait for none that has ended', async () => {
    const { together } = await compare([
      [1, 1, 1, 1, 1, 20],
      [1, 1, 1, 1, 1, 13, 1, 21, 20],
      [1, 1, 1, 1, 1, 30, 25],
    ]);
    expect(together[1]).toBeGreaterThan(40);
    expect(together[1]).toBe(together[2]);
  });

  const undone: readonly [string, number, number][] = [
    // A particle whose position is no number.
    ['that are broken', 1, 1],
    ['whose lists had no room', 2, 400],
    ['whose workgroups did not meet', 3, STOPPED],
    ['in which a particle strayed', 3, ASTRAY],
  ];
  it.each(cases(undone.slice(0, 1), undone.slice(1)))(
    'have what they had before steps %s',
    async (_, word, found) => {
      const { run } = ReplicaSteps.prototype;
      let made = 0;
      const spy = vi.spyOn(ReplicaSteps.prototype, 'run').mockImplementation(async function (
        this: ReplicaSteps,
        ...given
      ) {
        const records = await run.apply(this, given);
        if (++made === 3) records[word] = found;
        return records;
      });
      const runs = [5, 0, 4, 0, 4, 0, 4, 0, 4, 0, 6, 0, 7, 0, 3];
      const { together } = await compare([runs, runs, runs]);
      spy.mockRestore();
      expect(made).toBeGreaterThan(10);
      expect(together[0]).toBeGreaterThan(20);
    },
    120_000, // in the long form it compiles all kernels
  );

  itOnce('are whole numbers of them', async () => {
    await expect(openReplicas(0)).rejects.toThrow('0 replicas: give a whole number from 1 on');
  });
});
