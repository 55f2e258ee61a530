import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { pairWeights } from '../src/pattern/adapt/pairWeights.js';
import { computeCellParticlePairs } from '../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../src/pattern/computeCellParticles.js';
import type { CellCall, ReduceCall } from '../src/pattern/PatternEngine.js';
import { reduceCellParticles } from '../src/pattern/reduceCellParticles.js';
import { updateNeighbours } from '../src/pattern/updateNeighbours.js';
import { CallPlayer, clear, look, move, type Play, push, sum } from './support/CallPlayer.js';
import { randomPlay } from './support/randomPlays.js';
import type { DeviceCall } from './support/recordingDevice.js';

const players: CallPlayer[] = [];
function player(memory: 'with memory' | 'without memory' = 'with memory'): CallPlayer {
  const made = new CallPlayer(memory);
  players.push(made);
  return made;
}
afterAll(async () => {
  for (const { ctx } of players) await ctx.close();
});

/** A step on one of the grids; everything that it gives is new, as in most loops. */
const step =
  (on: number, dt = 1): Play =>
  ({ grids, ctx }) => {
    const grid = grids[on]!;
    computeCellParticles(grid, move, ctx, { params: { dt, half: dt / 2 } });
    updateNeighbours(grid, ctx, { rcut: 2, skin: 0.2, ahead: true });
    computeCellParticles(grid, clear, ctx);
    const options = { rcut: 2, params: { each: 1, by: [1, 2] } };
    computeCellParticlePairs(grid, push, ctx, { ...options, outputs: { fy: 'none' } });
    computeCellParticlePairs(grid, push, ctx, { ...options, rcut: 1 });
    computeCellParticles(grid, move, ctx, { params: { dt: dt / 4, half: 0 } });
    reduceCellParticles(grid, sum, { total: dt }, ctx, { params: { each: dt } });
    reduceCellParticles(grid, sum, {}, ctx, { params: { each: dt } });
  };
const same = (some: readonly DeviceCall[], others: readonly DeviceCall[]): boolean[] =>
  some.map((call, k) => call === others[k]);

describe('repeated calls', () => {
  it('reach the device as without a memory, whatever happens between them', () => {
    const program = fc.tuple(
      fc.array(randomPlay, { minLength: 1, maxLength: 8 }),
      fc.array(randomPlay, { maxLength: 4 }),
    );
    fc.assert(
      fc.property(program, ([often, once]) => {
        const both = [player(), player('without memory')] as const;
        for (const play of [...often, ...often, ...once, ...often, ...often]) {
          const [mine, plain] = both.map((each) => each.account(play));
          expect(mine).toEqual(plain);
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['one grid', [step(0)]],
    ['two grids in turn', [step(0), step(1)]],
    ['two kinds of steps in turn', [step(0), step(0, 3)]],
  ])('are the very objects of one step before: %s', (_, steps) => {
    const each = player();
    const first = each.play(...steps);
    for (let n = 0; n < 3; n++)
      expect(same(each.play(...steps), first)).toEqual(first.map(() => true));
  });

  it('are other objects where something has changed, and those behind it are as before', () => {
    const each = player();
    const first = each.play(step(0));
    const changed: Play = ({ grids: [grid], ctx }) => {
      computeCellParticles(grid!, move, ctx, { params: { dt: 7, half: 0.5 } });
      updateNeighbours(grid!, ctx, { rcut: 2, skin: 0.3, ahead: true });
      computeCellParticles(grid!, clear, ctx, {});
    };
    expect(same(each.play(changed), first)).toEqual([false, false, true]);
    // Of updates only the last is remembered.
    expect(same(each.play(step(0)), first)).toEqual(first.map((_, k) => k !== 1));
  });

  /** Options that are given again and again, and what their owner does then. */
  const changes: Record<string, () => { play: Play; change: () => void }> = {
    'parameters in frozen options': () => {
      const params = { dt: 1, half: 2 };
      const options = Object.freeze({ params });
      const play: Play = ({ grids: [grid], ctx }) =>
        computeCellParticles(grid!, move, ctx, options);
      return { play, change: () => Object.assign(params, { dt: 5 }) };
    },
    'a getter of frozen parameters': () => {
      const hidden = { dt: 1 };
      const getter = { enumerable: true, get: () => hidden.dt };
      const params = Object.freeze(Object.defineProperty({ half: 2 }, 'dt', getter));
      const options = Object.freeze({ params: params as { dt: number; half: number } });
      const play: Play = ({ grids: [grid], ctx }) =>
        computeCellParticles(grid!, move, ctx, options);
      return { play, change: () => Object.assign(hidden, { dt: 5 }) };
    },
    'a table of frozen parameters': () => {
      const by = [1, 2];
      const options = Object.freeze({ rcut: 1, params: Object.freeze({ each: 1, by }) });
      const play: Play = ({ grids: [grid], ctx }) =>
        computeCellParticlePairs(grid!, push, ctx, options);
      return { play, change: () => by.reverse() };
    },
    'weights of pairs': () => {
      const options = { rcut: 1, params: { each: 1, by: [1] } };
      const play: Play = ({ grids: [grid], ctx }) =>
        computeCellParticlePairs(grid!, push, ctx, options);
      const weights = pairWeights([{ ids: [0, 1], weight: 0.5 }]);
      return { play, change: () => Object.assign(options, { weights }) };
    },
    'initial values': () => {
      const initial = { total: 1 };
      const options = Object.freeze({ params: Object.freeze({ each: 1 }) });
      const play: Play = ({ grids: [grid], ctx }) =>
        reduceCellParticles(grid!, sum, initial, ctx, options);
      return { play, change: () => Object.assign(initial, { total: 2 }) };
    },
    'a name of initial values': () => {
      const initial: { total?: number } = {};
      const play: Play = ({ grids: [grid], ctx }) =>
        reduceCellParticles(grid!, sum, initial, ctx, { params: { each: 1 } });
      return { play, change: () => Object.assign(initial, { totals: 2 }) };
    },
    'initial values that a prototype has': () => {
      const hidden = { total: 1 };
      const prototype = Object.defineProperty({}, 'total', { get: () => hidden.total });
      const initial = Object.freeze(Object.create(prototype) as { total?: number });
      const play: Play = ({ grids: [grid], ctx }) =>
        reduceCellParticles(grid!, sum, initial, ctx, { params: { each: 1 } });
      return { play, change: () => Object.assign(hidden, { total: 2 }) };
    },
    'the skin of lists': () => {
      const options = { rcut: 1, skin: 0.1 };
      const play: Play = ({ grids: [grid], ctx }) => updateNeighbours(grid!, ctx, options);
      return { play, change: () => Object.assign(options, { skin: 0.5 }) };
    },
  };
  it.each(Object.keys(changes))('see a change of %s', (name) => {
    const accounts = (['with memory', 'without memory'] as const).map((memory) => {
      const each = player(memory);
      const { play, change } = changes[name]!();
      const before = [play, play, play].map((one) => each.account(one));
      change();
      return [...before, each.account(play)];
    });
    expect(accounts[0]).toEqual(accounts[1]);
  });

  it('tell zeros apart, and know what is no number', () => {
    const each = player();
    const given = [0, -0, 0, Number.NaN, Number.NaN];
    const made = given.map((half) => {
      const params = { dt: 1, half };
      return each.play(({ grids: [grid], ctx }) => {
        computeCellParticles(grid!, move, ctx, { params });
      })[0] as CellCall;
    });
    expect(made.map(({ params }) => params.half)).toEqual(given);
    expect(made[3]).toBe(made[4]);
  });

  it('tell zeros that reductions begin with apart', () => {
    const each = player();
    const params = { each: 1 };
    const made = [0, -0, -0, 0].map((total) => {
      return each.play(({ grids: [grid], ctx }) => {
        reduceCellParticles(grid!, sum, { total }, ctx, { params });
      })[0] as ReduceCall;
    });
    expect(made.map(({ initial }) => initial.total)).toEqual([0, -0, -0, 0]);
    expect(made[0]).toBe(made[3]);
    expect(made[1]).toBe(made[2]);
  });

  it('keep neither old calls nor grids that nobody else knows', async () => {
    const each = player();
    const refs: WeakRef<object>[] = [];
    for (let n = 1; n <= 50; n++) {
      const grid = each.newGrid();
      const params = { table: [n], x: n };
      const made = each.play(step(0, n), ({ grids: [kept], ctx }) => {
        computeCellParticles(kept!, look, ctx, { params });
        computeCellParticles(grid, look, ctx, { params });
        computeCellParticlePairs(grid, push, ctx, { rcut: 2, params: { each: n, by: [n] } });
        reduceCellParticles(grid, sum, {}, ctx, { params: { each: n } });
      });
      refs.push(...made.map((call) => new WeakRef(call)));
    }
    await new Promise((resolve) => setImmediate(resolve)); // until then references count
    setFlagsFromString('--expose-gc');
    (runInNewContext('gc') as () => void)();
    const left = new Set(refs.map((ref) => ref.deref()).filter((call) => call));
    expect(left.size).toBeLessThan(20);
  });
});
