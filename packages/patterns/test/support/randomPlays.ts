import fc from 'fast-check';
import { pairWeights } from '../../src/pattern/adapt/pairWeights.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { updateNeighbours } from '../../src/pattern/updateNeighbours.js';
import { clear, look, move, type Play, push } from './CallPlayer.js';

const which = fc.nat(1);
const value = fc.constantFrom(0, -0, 1, 2, Number.NaN, '1', undefined);
const otherOptions = [
  { lane: 'a' },
  { onComplete: () => {} },
  { asynchronous: true },
  { enableGpu: true },
  { backend: 'webgpu' },
  { weights: undefined },
  { weights: pairWeights([{ ids: [0, 1], weight: 0 }]) },
];
const other = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom<object>(...otherOptions) },
);

const cells = fc
  .record({ name: fc.constantFrom('move', 'look', 'clear'), on: which, given: which, other })
  .map((a): Play => {
    const functor = { move, look, clear }[a.name] as typeof move;
    return ({ grids, given, ctx }) => {
      const params = a.name === 'clear' ? {} : { params: given[a.name as 'move'][a.given] };
      computeCellParticles(grids[a.on]!, functor, ctx, { ...params, ...a.other } as never);
    };
  });

const pairs = fc
  .record({ on: which, given: which, to: fc.nat(3), rcut: fc.constantFrom(1, 2, -1), other })
  .map((a): Play => {
    const { rcut } = a;
    return ({ grids, given, ctx }) => {
      const options = { rcut, params: given.push[a.given], outputs: given.outputs[a.to] };
      computeCellParticlePairs(grids[a.on]!, push, ctx, { ...options, ...a.other } as never);
    };
  });

const skin = fc.constantFrom(0, 0.2, 'auto', undefined);
const updates = fc
  .record({ on: which, rcut: fc.constantFrom(1, 2), skin, ahead: fc.boolean(), other })
  .map(
    ({ on, other, ...options }): Play =>
      ({ grids, ctx }) => {
        updateNeighbours(grids[on]!, ctx, { ...options, ...other } as never);
      },
  );

/** The owner of what calls are given changes it: a value, a number of a table, a name more or less, the order of names. */
const changes = fc
  .record({
    name: fc.constantFrom('move', 'look', 'push', 'outputs'),
    given: which,
    how: fc.constantFrom('value', 'table', 'more', 'fewer', 'order'),
    to: value,
  })
  .map(
    ({ name, given: place, how, to }): Play =>
      ({ given }) => {
        const owned = given[name as 'move'][place]!;
        if (Object.isFrozen(owned)) return;
        const isTarget = name === 'outputs';
        const table = owned.table ?? owned.by;
        const first = Object.keys(owned)[0] ?? 'fx';
        const before = owned[first];
        if (how === 'value') owned[first] = isTarget ? 'both' : to;
        if (how === 'table' && typeof table === 'object') (table as number[])[0] = Number(to);
        if (how === 'more') owned.fy = isTarget ? 'none' : to;
        if (how === 'fewer') delete owned.fy;
        if (how !== 'order') return;
        delete owned[first];
        owned[first] = before;
      },
  );

const addedBlocks = which.map(
  (on): Play =>
    ({ grids }) => {
      const name = `extra${grids[on]!.blocks.size}`;
      grids[on]!.addBlock({ name, type: 'f64', width: 1, members: [name] });
    },
);

const freed = which.map(
  (on): Play =>
    ({ grids }) => {
      grids[on]!.free();
      grids[on]!.resize(2);
    },
);

/** Calls, good and bad, and what happens between them. */
export const randomPlay: fc.Arbitrary<Play> = fc.oneof(
  { weight: 6, arbitrary: cells },
  { weight: 4, arbitrary: pairs },
  { weight: 3, arbitrary: updates },
  { weight: 4, arbitrary: changes },
  { weight: 1, arbitrary: addedBlocks },
  { weight: 1, arbitrary: freed },
);
