import type { OperatorListener, Simulation } from '@corpuscle/core';
import { functorUses } from '@corpuscle/operators';
import { type ExecutionContext, explain } from '@corpuscle/patterns';
import { formatDevice, formatHost, type HostTime } from './formatProfile.js';
import { formatTable } from './formatTable.js';
import { LoopWatch } from './LoopWatch.js';

/** Time by path in the graph, what crosses between host and device, and where each functor ran and why. */
export class Profile {
  readonly #ctx: ExecutionContext;
  readonly #began: number;
  readonly #opened = performance.now();
  /** When the last operator had run. */
  #ended = 0;
  /** By path in the graph. */
  readonly #times = new Map<string, HostTime>();
  readonly #watch: LoopWatch | null;

  /** @param began the moment at which the backend began to open. */
  constructor(ctx: ExecutionContext, began: number) {
    this.#ctx = ctx;
    this.#began = began;
    this.#note('(opening the backend)', this.#opened - began);
    this.#watch = ctx.device && ctx.backend !== 'cpu' ? new LoopWatch(ctx) : null;
    ctx.device?.startProfile();
  }

  /** An operator has run. */
  readonly add: OperatorListener = (name, milliseconds, path, times) => {
    const now = performance.now();
    if (this.#ended === 0) this.#note('(opening files)', now - milliseconds - this.#opened);
    this.#ended = now;
    this.#note(path, milliseconds, times);
    this.#watch?.ran(name, times);
  };

  /** The event loop has had its turn. */
  readonly addEventLoop = (milliseconds: number): void => {
    this.#note('(files, signals, progress)', milliseconds);
  };

  #note(name: string, milliseconds: number, calls = 1): void {
    const time = this.#times.get(name) ?? { name, calls: 0, milliseconds: 0 };
    time.calls += calls;
    time.milliseconds += milliseconds;
    this.#times.set(name, time);
  }

  async format(simulation: Simulation): Promise<string> {
    const ctx = this.#ctx;
    const now = performance.now();
    if (this.#ended > 0) this.#note('(last rows, closing files)', now - this.#ended);
    const wall = now - this.#began;
    let text = `\n${formatHost([...this.#times.values()], wall)}`;
    if (ctx.device && ctx.backend !== 'cpu') {
      text += 'times are of the host: the device works after it\n';
      text += formatDevice(await ctx.device.profile());
      text += this.#watch?.format() ?? '';
    }
    const uses = functorUses(simulation);
    if (uses.length === 0) return text;
    const rows = uses.map(({ functor, backend: asked }) => {
      const { backend, form, reason } = explain(functor, ctx, asked ? { backend: asked } : {});
      return [`${functor.name}: ${backend}, ${form}, ${reason}`];
    });
    return `${text}\n${formatTable(['functor, backend, form, reason'], rows)}`;
  }
}
