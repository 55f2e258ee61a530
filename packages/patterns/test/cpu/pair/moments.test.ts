import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor } from '@corpuscle/functor';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/runs.js';
import { RandomSource } from '../../../../functor/test/support/RandomSource.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

// Virials of a call that adds forces come from sums over particles. The oracle adds d_a f_b up over all pairs, by brute force.

const half = 0.5;
/** Not central: f has a part across d, so that all nine components differ. */
const twist = pairFunctor(
  {
    name: 'twist',
    central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    derived: {
      vxx: { of: 'fx', along: 'x', factor: half },
      vyx: { of: 'fx', along: 'y', factor: half },
      vzz: { of: 'fz', along: 'z', factor: half },
      vyz: { of: 'fz', along: 'y', factor: half },
      vzy: { of: 'fy', along: 'z', factor: half },
    },
    traits: { newton3: true },
  },
  (i, _j, d) => {
    const s = 1 / (d.r2 + 0.2);
    i.fx += s * d.x + 0.5 * d.y;
    i.fy += s * d.y + 0.25 * d.z;
    i.fz -= s * d.z;
    i.ep += s;
  },
);
const components = { vxx: [0, 0], vyx: [1, 0], vzz: [2, 2], vyz: [1, 2], vzy: [2, 1] } as const;
type Component = keyof typeof components;
const targets = { vxx: 'total', vyx: 'total', vzz: 'total', vyz: 'total', vzy: 'total' } as const;

const boxes = {
  'a box far from the origin': {
    domain: Domain.orthorhombic([5, 6, 7], { origin: [1000, -500, 0] }),
    n: 90,
  },
  'a skewed cell': {
    domain: Domain.triclinic([5, 0, 0, 1.5, 6, 0, -1, 0.7, 5]),
    n: 90,
  },
  'a box thinner than two cutoffs': { domain: Domain.orthorhombic([6, 1.7, 6]), n: 30 },
};

function filled(heap: Grid['heap'], { domain, n }: (typeof boxes)[keyof typeof boxes]): Grid {
  const random = new RandomSource(5);
  const part = () => random.between(0, 1);
  const places = Array.from({ length: n }, () => domain.toCartesian(part(), part(), part()));
  return gridOf(heap, domain, places);
}

function wanted(grid: Grid, rcut: number, matrix?: readonly number[]): Record<Component, number> {
  const sums = { vxx: 0, vyx: 0, vzz: 0, vyz: 0, vzy: 0 };
  const reach = matrix ? 2 * rcut : rcut;
  for (const { d } of bruteForcePairs(grid, reach)) {
    const [x, y, z] = [0, 1, 2].map((k) =>
      matrix
        ? matrix[3 * k]! * d[0] + matrix[3 * k + 1]! * d[1] + matrix[3 * k + 2]! * d[2]
        : d[k]!,
    ) as [number, number, number];
    const r2 = x * x + y * y + z * z;
    if (r2 >= rcut * rcut) continue;
    const f = { fx: 0, fy: 0, fz: 0, ep: 0, ...sums };
    twist.invoke(f, {} as never, { x, y, z, r2 } as never, {});
    for (const name of Object.keys(components) as Component[]) {
      const [along, of] = components[name];
      sums[name] += half * [x, y, z][along]! * [f.fx, f.fy, f.fz][of]!;
    }
  }
  return sums;
}

describe.each([1, 2])('virials of calls that add forces, on %i threads', (threads) => {
  it.each(Object.keys(boxes) as (keyof typeof boxes)[])(
    'are those of brute force in %s',
    async (name) => {
      await using ctx = await createExecutionContext({ backend: 'cpu', threads });
      const grid = filled(ctx.heap, boxes[name]);
      await updateNeighbors(grid, ctx, { rcut: 1.6, skin: 0.2 });
      const held = Float64Array.from({ length: grid.count }, (_, k) => 3 * Math.sin(k));
      for (const field of ['fx', 'fy', 'fz']) grid.setValues(field, held);
      const found = await computeCellParticlePairs(grid, twist, ctx, {
        rcut: 1.6,
        outputs: { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'none', ...targets },
      });
      const sums = wanted(grid, 1.6);
      for (const component of Object.keys(components) as Component[])
        expect(found[component]).toBeCloseTo(sums[component], 8);
    },
  );
});

const clear = cellFunctor(
  { name: 'clear', fields: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' } },
  (i) => {
    i.fx = 0;
    i.fy = 0;
    i.fz = 0;
    i.ep = 0;
  },
);
const clearX = cellFunctor({ name: 'clear_x', fields: { fx: 'real' } }, (i) => {
  i.fx = 0;
});
const push = cellFunctor({ name: 'push', fields: { fy: 'real' } }, (i) => {
  i.fy += 3;
});

it.each([
  ['all of them are cleared', [clear]],
  ['one component is cleared', [clearX]],
  ['they are pushed after they have been cleared', [clear, push]],
  ['they are cleared after they have been pushed', [push, clear]],
])('virials do not see the forces there were, where %s', async (_, before) => {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const grid = filled(ctx.heap, boxes['a skewed cell']);
  await updateNeighbors(grid, ctx, { rcut: 1.6, skin: 0.2 });
  const held = Float64Array.from({ length: grid.count }, (_value, k) => 3 * Math.sin(k));
  for (const field of ['fx', 'fy', 'fz']) grid.setValues(field, held);
  for (const functor of before) computeCellParticles(grid, functor as typeof clear, ctx);
  const found = await computeCellParticlePairs(grid, twist, ctx, {
    rcut: 1.6,
    outputs: { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'none', ...targets },
  });
  const sums = wanted(grid, 1.6);
  for (const component of Object.keys(components) as Component[])
    expect(found[component]).toBeCloseTo(sums[component], 8);
});

/** Threads a particle in the short form: each is a kernel of its own. */
const fewLanes = {
  'a box far from the origin': [1, 8],
  'a skewed cell': [2],
  'a box thinner than two cutoffs': [8],
} as const;

describeGpu('virials of calls that add forces, on a device', () => {
  it.each(Object.keys(boxes) as (keyof typeof boxes)[])(
    'are those of brute force in %s, by any number of threads a particle',
    async (name) => {
      await using ctx = await gpuContext();
      const grid = filled(ctx.heap, boxes[name]);
      await updateNeighbors(grid, ctx, { rcut: 1.6, skin: 0.2 });
      const sums = wanted(grid, 1.6);
      for (const lanes of runs<readonly (1 | 2 | 8)[]>(fewLanes[name], [1, 2, 8] as const)) {
        engineOf(ctx).pairs.lanes = lanes;
        const found = await computeCellParticlePairs(grid, twist, ctx, {
          rcut: 1.6,
          outputs: { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'none', ...targets },
        });
        for (const component of Object.keys(components) as Component[])
          expect(found[component]).toBeCloseTo(sums[component], 3);
      }
    },
  );
});

it('virials along displacements that a call transforms are those of brute force', async () => {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const grid = filled(ctx.heap, boxes['a box far from the origin']);
  await updateNeighbors(grid, ctx, { rcut: 2.4, skin: 0.2 });
  const xform = [1.2, 0.1, 0, 0, 0.9, 0.2, 0, 0, 1];
  const found = await computeCellParticlePairs(grid, twist, ctx, {
    rcut: 1.6,
    xform,
    outputs: { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'none', ...targets },
  });
  const sums = wanted(grid, 1.6, xform);
  for (const component of Object.keys(components) as Component[])
    expect(found[component]).toBeCloseTo(sums[component], 8);
});
