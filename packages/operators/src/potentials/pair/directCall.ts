import { windows } from './cutoffSwitch.js';
import type { LayerNames, RadialLayer } from './radialLayer.js';

/** What a pair kernel sees, in a direct call. */
interface Pair {
  readonly i: Record<string, number>;
  readonly j: Readonly<Record<string, number>>;
  readonly d: Readonly<Record<'x' | 'y' | 'z' | 'r2', number>>;
  readonly p: Readonly<Record<string, readonly number[]>> & { readonly types: number };
  readonly h: { erfc(x: number): number };
}

/** The function that computes, when it is called, what `radialText` says. */
export function directCall(layers: readonly RadialLayer[], names: readonly LayerNames[]) {
  return (i: Pair['i'], j: Pair['j'], d: Pair['d'], p: Pair['p'], h: Pair['h']): void => {
    const k = i.type! * p.types + j.type!;
    const r = Math.sqrt(d.r2);
    layers.forEach((layer, n) => {
      if (d.r2 >= p[names[n]!.rcut2]![k]!) return;
      const { force, energy } = evaluate(layer, names[n]!, r, (table) => p[table]![k]!, h);
      const q = layer.form.charges ? p[names[n]!.coulomb]![k]! * i.charge! * j.charge! : 1;
      const f = (q * force) / r;
      i.fx! += f * d.x;
      i.fy! += f * d.y;
      i.fz! += f * d.z;
      i.ep! += 0.5 * q * energy;
    });
  };
}

function evaluate(
  { form, switching }: RadialLayer,
  names: LayerNames,
  r: number,
  at: (table: string) => number,
  h: Pair['h'],
): { readonly force: number; readonly energy: number } {
  const window = switching === 'none' ? null : windows[switching];
  const s = window ? window.at(r, at(names.on)) : r;
  const numbers = names.numbers.map(at);
  if (form.damping !== undefined) numbers.push(h.erfc(numbers[form.damping]! * s));
  const [F, U] = [form.force(s, ...numbers), form.energy(s, ...numbers)];
  if (!window) {
    const slope = at(names.slope);
    return { force: F + slope, energy: U - at(names.offset) - slope * r };
  }
  const [w1, w2, w3] = names.weights.map(at) as [number, number, number];
  const on = at(names.on);
  return {
    force: window.force(F, U, r, on, w1, w2, w3),
    energy: window.energy(F, U, r, on, w1, w2, w3) - at(names.offset),
  };
}
