import type { Simulation } from '@corpuscle/core';
import { functorsOf } from '@corpuscle/operators';
import { type ExecutionContext, explain } from '@corpuscle/patterns';
import { formatDevice, formatHost, type HostTime } from './formatProfile.js';
import { formatTable } from './formatTable.js';
import { LoopWatch } from './LoopWatch.js';

/** Time per operator, what crosses between host and device, and where each functor ran and why. */
export class Profile {
  readonly #ctx: ExecutionContext;
  readonly #times = new Map<string, HostTime>();
  readonly #watch: LoopWatch | null;

  constructor(ctx: ExecutionContext) {
    this.#ctx = ctx;
    this.#watch = ctx.device && ctx.backend !== 'cpu' ? new LoopWatch(ctx) : null;
    ctx.device?.startProfile();
  }

  /** An operator has run. */
  add(name: string, milliseconds: number): void {
    const time = this.#times.get(name) ?? { name, calls: 0, milliseconds: 0 };
    time.calls++;
    time.milliseconds += milliseconds;
    this.#times.set(name, time);
    this.#watch?.ran(name);
  }

  async format(simulation: Simulation): Promise<string> {
    const ctx = this.#ctx;
    let text = `\n${formatHost([...this.#times.values()])}`;
    if (ctx.device && ctx.backend !== 'cpu') {
      text += 'times are of the host: the device works after it\n';
      text += formatDevice(await ctx.device.profile());
      text += this.#watch?.format() ?? '';
    }
    const functors = functorsOf(simulation);
    if (functors.length === 0) return text;
    const rows = functors.map((functor) => {
      const { backend, form, reason } = explain(functor, ctx);
      return [`${functor.name}: ${backend}, ${form}, ${reason}`];
    });
    return `${text}\n${formatTable(['functor, backend, form, reason'], rows)}`;
  }
}
