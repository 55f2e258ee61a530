import { Domain } from '@corpuscle/core';
import { neighborhoodFunctor, pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { pairWeights } from '../../../src/plan/adapt/pairWeights.js';
import { gridOf } from '../../shared/grids.js';

describe('functors of neighborhoods refuse', () => {
  it('reading what neighbors receive', () => {
    expect(() =>
      neighborhoodFunctor(
        { name: 'f', central: { ep: 'real' }, scatter: { fx: 'real' } },
        (i, b) => {
          i.ep += b.fx[0]!;
        },
      ),
    ).toThrow(/'fx' of the neighbors is used otherwise than by \+= or -=.*add to it/s);
    expect(() =>
      neighborhoodFunctor({ name: 'f', central: {}, scatter: { fx: 'real' } }, (_i, b) => {
        b.fx[0] = 1;
      }),
    ).toThrow(/'fx' of the neighbors is used otherwise/);
  });

  it('writing what is only read', () => {
    expect(() =>
      neighborhoodFunctor(
        { name: 'f', central: { ep: 'real' }, neighbor: { charge: 'real' } },
        (i, b) => {
          (b.charge as number[])[0] = 1;
          i.ep += 1;
        },
      ),
    ).toThrow(/'charge' is read-only here; declare what neighbors receive in `scatter`|cannot be/);
  });

  it('names that are taken, two types, newton3', () => {
    const make = (spec: object) => () =>
      neighborhoodFunctor({ name: 'f', central: { ep: 'real' }, ...spec }, () => {});
    expect(make({ work: { r2: 'real' } })).toThrow(/'r2' is a part of the buffer already/);
    expect(make({ neighbor: { fx: 'real' }, scatter: { fx: 'real' } })).toThrow(/declared twice/);
    expect(make({ scatter: { ep: 'u32' } })).toThrow(/'ep' has two types/);
    expect(make({ traits: { newton3: true } })).toThrow(/newton3 is a trait of pair functors/);
  });
});

describe('blocks of lanes refuse', () => {
  const traits = { blockShared: true } as const;
  it('outputs that are overwritten, and barriers that some may miss', () => {
    expect(() =>
      neighborhoodFunctor({ name: 'f', central: { ep: 'real' }, traits }, (i, b) => {
        for (let k = b.lane; k < b.count; k += b.lanes) i.ep = Math.max(i.ep, b.r2[k]!);
      }),
    ).toThrow(/'ep' is read or overwritten, but several lanes share the particle/);
    expect(() =>
      neighborhoodFunctor({ name: 'f', central: { ep: 'real' }, traits }, (i, b) => {
        for (let k = b.lane; k < b.count; k += b.lanes) {
          i.ep += b.r2[k]!;
          b.barrier();
        }
      }),
    ).toThrow(/some lanes may miss this barrier/);
  });
  it('lanes without the trait', () => {
    expect(() =>
      neighborhoodFunctor({ name: 'f', central: { ep: 'real' } }, (i, b) => {
        i.ep += b.lane;
      }),
    ).toThrow(/'lane' is not declared/);
  });
});

describe('contexts refuse', () => {
  it('newton3, and hooks without a context', () => {
    expect(() =>
      pairFunctor(
        { name: 'f', central: { ep: 'real' }, context: { n: 'real' }, traits: { newton3: true } },
        (i) => {
          i.ep += 1;
        },
      ),
    ).toThrow(/newton3 visits a pair once, but a context needs all neighbors/);
    const spec = { name: 'f', central: { ep: 'real' }, contextStop: () => {} } as const;
    expect(() => pairFunctor(spec, () => {})).toThrow(/no context to start or stop/);
  });

  it('what cannot be compiled, with the line of the hook', () => {
    expect(() =>
      pairFunctor(
        {
          name: 'f',
          central: { ep: 'real' },
          context: { n: 'real' },
          contextStart: (x) => {
            x.n = Date.now();
          },
        },
        () => {},
      ),
    ).toThrow(/contextStart of functor 'f'|Date/);
  });
});

describe('pair calls refuse', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  });
  afterAll(() => ctx?.close());

  const general = pairFunctor({ name: 'largest', central: { ep: 'real' } }, (i, _j, d) => {
    i.ep = Math.max(i.ep, d.r2);
  });
  const anything = pairFunctor(
    { name: 'anything', central: { ep: 'real' }, traits: { gpu: false } },
    (i) => {
      i.ep += JSON.stringify(i).length;
    },
  );
  const whole = neighborhoodFunctor({ name: 'whole', central: { ep: 'real' } }, (i, b) => {
    i.ep += b.count;
  });
  const half = pairWeights([{ ids: [0, 1], weight: 0.5 }]);

  it.each([
    [general, { weights: half }, /does more than add.*needsPairWeights/],
    [whole, { weights: half }, /needsPairWeights and let it use b.weight\[k\]/],
    [anything, { weights: half }, /is not compiled/],
    [general, { xform: [1, 0, 0] }, /xform has 3 numbers/],
    [general, { xform: [1, 0, 0, 0, 1, 0, 0, 0, 0] }, /flattens space/],
    [general, { cellFilter: { cells: [2, 2, 2], mask: [1] } }, /the mask of 2 × 2 × 2 cells has 1/],
    [general, { particleFilter: { central: { field: 'type', bits: 0 } } }, /bits .* are 0/],
    [general, { particleFilter: { central: { field: 'no', bits: 1 } } }, /no field 'no'/],
    [whole, { form: 'bufferless' }, /lacks the trait bufferless/],
    [whole, { allPairs: true }, /looks at whole neighborhoods/],
  ] as const)('%#', async (functor, options, message) => {
    const grid = gridOf(ctx.heap, Domain.orthorhombic([5, 5, 5]), [
      [1, 1, 1],
      [2, 1, 1],
    ]);
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.1 });
    expect(() => computeCellParticlePairs(grid, functor, ctx, { rcut: 2, ...options })).toThrow(
      message,
    );
    grid.free();
  });

  it.each([
    [[{ ids: [1, 1], weight: 0 }], /of a particle with itself/],
    [
      [
        { ids: [1, 2], weight: 0 },
        { ids: [2, 1], weight: 1 },
      ],
      /given twice/,
    ],
    [[{ ids: [1, -2], weight: 0 }], /names id -2/],
    [[{ ids: [1, 2], weight: Number.NaN }], /give a number/],
  ] as const)('weights %j', (list, message) => {
    expect(() => pairWeights(list)).toThrow(message);
  });
});
