import type { Simulation } from '@corpuscle/core';
import { functorsOf } from '@corpuscle/operators';
import { type ExecutionContext, explain } from '@corpuscle/patterns';

interface Entry {
  calls: number;
  milliseconds: number;
}

/** Time per operator, and where each functor ran and why. */
export class Profile {
  #entries = new Map<string, Entry>();

  add(name: string, milliseconds: number): void {
    const entry = this.#entries.get(name) ?? { calls: 0, milliseconds: 0 };
    entry.calls++;
    entry.milliseconds += milliseconds;
    this.#entries.set(name, entry);
  }

  format(simulation: Simulation, ctx: ExecutionContext): string {
    const rows = [...this.#entries].sort((a, b) => b[1].milliseconds - a[1].milliseconds);
    const total = rows.reduce((sum, [, entry]) => sum + entry.milliseconds, 0);
    const width = Math.max(8, ...rows.map(([name]) => name.length));
    let text = `\n${'operator'.padEnd(width)}     calls      time      share   per call\n`;
    for (const [name, { calls, milliseconds }] of rows)
      text += `${name.padEnd(width)} ${String(calls).padStart(9)} ${seconds(milliseconds)} ${share(milliseconds, total)} ${microseconds(milliseconds / calls)}\n`;
    if (ctx.backend === 'webgpu') text += 'times are of the host: the device works behind it\n';
    const functors = functorsOf(simulation);
    if (functors.length > 0) text += '\nfunctor, backend, form, reason\n';
    for (const functor of functors) {
      const { backend, form, reason } = explain(functor, ctx);
      text += `${functor.name}: ${backend}, ${form}, ${reason}\n`;
    }
    return text;
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`.padStart(9);
}

function share(part: number, total: number): string {
  return `${((100 * part) / (total || 1)).toFixed(1)} %`.padStart(10);
}

function microseconds(milliseconds: number): string {
  return `${(1000 * milliseconds).toFixed(1)} µs`.padStart(10);
}
