import type { DerivedSchema } from './schema.js';

/**
 * Calls a function of a pair and adds the outputs that are derived from what it has added; the direct counterpart of
 * `passes/deriveOutputs`. Both agree to rounding: products are taken in another order.
 *
 * @param i central particle, its outputs included
 * @param d displacement
 */
export function callWithDerived(
  call: () => void,
  i: Record<string, number>,
  d: Readonly<Record<string, number>>,
  derived: DerivedSchema,
): void {
  const origins = [...new Set(Object.values(derived).map(({ of }) => of))];
  const before = origins.map((name) => i[name]!);
  for (const name of origins) i[name] = 0;
  call();
  for (const [name, { of, along, factor }] of Object.entries(derived))
    i[name] = i[name]! + factor * d[along]! * i[of]!;
  origins.forEach((name, k) => {
    i[name] = before[k]! + i[name]!;
  });
}
