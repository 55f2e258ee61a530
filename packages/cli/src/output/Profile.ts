import type { Simulation } from '@corpuscle/core';
import { functorsOf } from '@corpuscle/operators';
import { type ExecutionContext, explain, type GpuProfile } from '@corpuscle/patterns';

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

  async format(simulation: Simulation, ctx: ExecutionContext): Promise<string> {
    const rows = [...this.#entries].sort((a, b) => b[1].milliseconds - a[1].milliseconds);
    const total = rows.reduce((sum, [, entry]) => sum + entry.milliseconds, 0);
    const width = Math.max(8, ...rows.map(([name]) => name.length));
    let text = `\n${'operator'.padEnd(width)}     calls      time      share   per call\n`;
    for (const [name, { calls, milliseconds }] of rows)
      text += `${name.padEnd(width)} ${String(calls).padStart(9)} ${seconds(milliseconds)} ${share(milliseconds, total)} ${microseconds(milliseconds / calls)}\n`;
    if (ctx.backend === 'webgpu' && ctx.gpu) {
      text += 'times are of the host: the device works behind it\n';
      text += formatDevice(await ctx.gpu.profile());
    }
    const functors = functorsOf(simulation);
    if (functors.length > 0) text += '\nfunctor, backend, form, reason\n';
    for (const functor of functors) {
      const { backend, form, reason } = explain(functor, ctx);
      text += `${functor.name}: ${backend}, ${form}, ${reason}\n`;
    }
    return text;
  }
}

/** Time of the device by kernel, and what it was given to do. */
function formatDevice(profile: GpuProfile): string {
  const { kernels } = profile;
  const total = kernels.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const width = Math.max(8, ...kernels.map(({ label }) => label.length));
  let text = `\n${'kernel'.padEnd(width)}     calls      time      share   per call\n`;
  for (const { label, dispatches, milliseconds } of kernels)
    text += `${label.padEnd(width)} ${String(dispatches).padStart(9)} ${seconds(milliseconds)} ${share(milliseconds, total)} ${microseconds(milliseconds / dispatches)}\n`;
  if (kernels.length === 0) text += 'no times: the adapter has no time stamps\n';
  const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(3)} MiB`;
  return `${text}to the device ${mebibytes(profile.uploadedBytes)}, back ${mebibytes(profile.downloadedBytes)}, ${profile.dispatches} dispatches in ${profile.submits} submits, ${profile.repeats} stretches of steps repeated\n`;
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
