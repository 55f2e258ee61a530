import fc from 'fast-check';
import { pairWeights } from '../../src/pattern/adapt/pairWeights.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { reduceCellParticles } from '../../src/pattern/reduceCellParticles.js';
import { updateNeighbours } from '../../src/pattern/updateNeighbours.js';
import { clear, look, move, type Play, push, sum } from './CallPlayer.js';

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

/** Which of what calls are given. */
const given = fc.nat(2);
/** Whether the options are the same frozen object whenever the call is made. */
const fixed = fc.boolean();

const cells = fc
  .record({ name: fc.constantFrom('move', 'look', 'clear'), on: which, given, fixed, other })
  .map((a): Play => {
    const functor = { move, look, clear }[a.name] as typeof move;
    return (player) => {
      const params = a.name === 'clear' ? {} : { params: player.given[a.name as 'move'][a.given] };
      const options = { ...params, ...a.other } as never;
      const asked = a.fixed ? player.frozen(a, options) : options;
      computeCellParticles(player.grids[a.on]!, functor, player.ctx, asked);
    };
  });

const rcut = fc.constantFrom(1, 2, -1);
const pairs = fc.record({ on: which, given, fixed, to: fc.nat(3), rcut, other }).map(
  (a): Play =>
    (player) => {
      const { push: params, outputs } = player.given;
      const from = { rcut: a.rcut, params: params[a.given], outputs: outputs[a.to] };
      const options = { ...from, ...a.other } as never;
      const asked = a.fixed ? player.frozen(a, options) : options;
      computeCellParticlePairs(player.grids[a.on]!, push, player.ctx, asked);
    },
);

const reductions = fc.record({ on: which, given, fixed, from: given, other }).map(
  (a): Play =>
    (player) => {
      const options = { params: player.given.sum[a.given], ...a.other } as never;
      const asked = a.fixed ? player.frozen(a, options) : options;
      const initial = player.given.initial[a.from] as never;
      reduceCellParticles(player.grids[a.on]!, sum, initial, player.ctx, asked);
    },
);

const skin = fc.constantFrom(0, 0.2, 'auto', undefined);
const updates = fc
  .record({ on: which, fixed, rcut: fc.constantFrom(1, 2), skin, ahead: fc.boolean(), other })
  .map(
    (a): Play =>
      (player) => {
        const options = { rcut: a.rcut, skin: a.skin, ahead: a.ahead, ...a.other } as never;
        const asked = a.fixed ? player.frozen(a, options) : options;
        updateNeighbours(player.grids[a.on]!, player.ctx, asked);
      },
  );

/** The owner of what calls are given changes it: a value, a number of a table, a name more or less, the order of names. */
const changes = fc
  .record({
    name: fc.constantFrom('move', 'look', 'push', 'outputs', 'sum', 'initial', 'hidden'),
    given,
    how: fc.constantFrom('value', 'table', 'more', 'fewer', 'order'),
    to: value,
  })
  .map(
    (a): Play =>
      (player) => {
        const owned = player.given[a.name as 'move'][a.given]!;
        const table = owned.table ?? owned.by;
        if (a.how === 'table' && typeof table === 'object' && !Object.isFrozen(table))
          (table as number[])[0] = Number(a.to);
        if (!Object.isFrozen(owned))
          changeRecord(owned, a.how, a.name === 'outputs' ? 'both' : a.to);
      },
  );

function changeRecord(owned: Record<string, unknown>, how: string, to: unknown): void {
  const first = Object.keys(owned)[0] ?? 'fx';
  const before = owned[first];
  if (how === 'value') owned[first] = to;
  if (how === 'more') owned.fy = to;
  if (how === 'fewer') delete owned.fy;
  if (how !== 'order') return;
  delete owned[first];
  owned[first] = before;
}

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
  { weight: 3, arbitrary: reductions },
  { weight: 3, arbitrary: updates },
  { weight: 4, arbitrary: changes },
  { weight: 1, arbitrary: addedBlocks },
  { weight: 1, arbitrary: freed },
);
