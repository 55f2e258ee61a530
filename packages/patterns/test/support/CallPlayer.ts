import { Domain, type Grid, SharedHeap } from '@corpuscle/core';
import { cellFunctor, pairFunctor, reduceFunctor } from '@corpuscle/functor';
import { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { RepeatedCalls } from '../../src/context/RepeatedCalls.js';
import { gridOf } from '../shared/grids.js';
import { type DeviceCall, RecordingDevice } from './recordingDevice.js';

export const move = cellFunctor(
  { name: 'move', fields: { rx: 'real' }, params: { dt: 'real', half: 'real' } },
  (i, p) => {
    i.rx += p.dt + p.half;
  },
);
export const look = cellFunctor(
  { name: 'look', fields: { fx: 'real' }, params: { table: 'real[]', x: 'real' } },
  (i, p) => {
    i.fx += p.x + p.table[0]!;
  },
);
export const clear = cellFunctor({ name: 'clear', fields: { fx: 'real' } }, (i) => {
  i.fx = 0;
});
export const push = pairFunctor(
  { name: 'push', central: { fx: 'real', fy: 'real' }, params: { each: 'real', by: 'real[]' } },
  (i, _j, d, p) => {
    i.fx += p.each * d.x;
    i.fy += p.by[0]! * d.y;
  },
);
export const sum = reduceFunctor(
  {
    name: 'sum',
    result: { total: 'sum', most: 'max' },
    read: { fx: 'real' },
    params: { each: 'real' },
  },
  (acc, i, p) => {
    acc.total += p.each * i.fx;
    acc.most = Math.max(acc.most, i.fx);
  },
);

type Given = Record<string, unknown>;

/** What calls are given: some of it can never change, and some only seems so. */
function newGiven(): Record<
  'move' | 'look' | 'push' | 'outputs' | 'sum' | 'initial' | 'hidden',
  readonly Given[]
> {
  const hidden = { dt: 1 };
  const getter = { enumerable: true, get: () => hidden.dt };
  return {
    move: [
      { dt: 1, half: 0.5 },
      Object.freeze({ dt: 2, half: 1 }),
      Object.freeze(Object.defineProperty({ half: 1 }, 'dt', getter)),
    ],
    look: [
      { table: [1, 2], x: 3 },
      { x: 3, table: new Float64Array([1, 2]) },
      Object.freeze({ x: 3, table: [1, 2] }),
    ],
    push: [
      { each: 1, by: [1] },
      Object.freeze({ each: 1, by: Object.freeze([1]) }),
      Object.freeze({ each: 1, by: [1] }),
    ],
    outputs: [{}, { fx: 'total' }, Object.freeze({ fx: 'none' })],
    sum: [{ each: 1 }, Object.freeze({ each: 1 }), { each: 2 }],
    initial: [{}, Object.freeze({ total: 1 }), { most: 0, total: 1 }],
    hidden: [hidden, hidden, hidden],
  };
}

/** Calls that a context and two grids play. */
export type Play = (player: CallPlayer) => void;

class NoMemory extends RepeatedCalls {
  override cell = (): null => null;
  override pairs = (): null => null;
  override reduction = (): null => null;
  override update = (): null => null;
}

/** A context on a device that notes its calls, with two grids and what calls are given. */
export class CallPlayer {
  readonly device = new RecordingDevice();
  readonly ctx: ExecutionContext;
  readonly grids: readonly Grid[];
  readonly given = newGiven();
  readonly #options = new Map<string, object>();

  constructor(memory: 'with memory' | 'without memory') {
    const heap = new SharedHeap();
    const options = { backend: 'webgpu', precision: 'f32', threads: 1, heap } as const;
    this.ctx = new ExecutionContext(options, this.device, '');
    if (memory === 'without memory') Object.assign(this.ctx, { repeats: new NoMemory() });
    this.grids = [this.newGrid(), this.newGrid()];
  }

  newGrid(): Grid {
    return gridOf(this.ctx.heap, Domain.orthorhombic([8, 8, 8]), [
      [1, 1, 1],
      [2, 1, 1],
    ]);
  }

  /** The same options again for the same choice, in a frozen object. */
  frozen<T extends object>(choice: object, options: T): T {
    const key = JSON.stringify(choice);
    if (!this.#options.has(key)) this.#options.set(key, Object.freeze(options));
    return this.#options.get(key) as T;
  }

  /** The calls that reach the device. */
  play(...plays: readonly Play[]): DeviceCall[] {
    const { calls } = this.device;
    calls.length = 0;
    for (const one of plays) one(this);
    return calls.splice(0);
  }

  /** What the calls of a play say as they reach the device, or why they were refused, and what was announced. */
  account(play: Play): unknown {
    let outcome: unknown;
    try {
      outcome = this.play(play).map((call) => this.#said(call));
    } catch (error) {
      outcome = (error as Error).message;
    }
    const blocks = this.grids.map((grid) => [...grid.blocks.values()]);
    return [outcome, blocks.map((all) => all.map(({ writesAsked }) => writesAsked))];
  }

  #said(call: DeviceCall): unknown {
    const { grid, ...rest } = call;
    const functor = 'functor' in call ? call.functor.name : null;
    return structuredClone({ ...rest, functor, grid: this.grids.indexOf(grid) });
  }
}
