import type { Slots, Value } from '../Draft.js';
import { AXES, type FixParts, type Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** Keywords of chains. */
const CHAIN_SLOTS: Readonly<Record<string, string>> = {
  tchain: 'chain',
  pchain: 'chain_pressure',
  tloop: 'parts',
  ploop: 'parts_pressure',
};

/** What nvt, npt and nph become. @throws Unmapped, CorpuscleError */
export function noseHoover(script: Script, args: readonly string[], slot: Slots): FixParts {
  const slots: Record<string, Value | undefined> = {};
  const axes = new Map<string, Pressed>();
  for (let k = 0; k < args.length; ) {
    const key = args[k]!;
    if (key === 'temp') {
      slots.temperature = script.ramp(args, k + 1);
      slots.tau = script.number(args[k + 3]);
      k += 4;
    } else if (/^(iso|aniso|tri|[xyz])$/.test(key)) {
      axes.set(key, { pressure: script.ramp(args, k + 1), tau: script.number(args[k + 3]) });
      k += 4;
    } else if (CHAIN_SLOTS[key]) {
      slots[CHAIN_SLOTS[key]] = script.whole(args[k + 1]);
      if (slots[CHAIN_SLOTS[key]] === 0) throw new Unmapped(`${key} 0 has no counterpart`);
      k += 2;
    } else throw new Unmapped(`its keyword ${key} has no counterpart`);
  }
  if (axes.size > 0) Object.assign(slots, pressureOf(axes));
  // The chain of the box has 3 links there, whatever that of the particles has.
  if (axes.size > 0 && slots.chain) slots.chain_pressure ??= 3;
  return { scheme: [{ nose_hoover: { ...slots, ...slot } }], moves: true };
}

/** What follows a keyword of a pressure. */
export interface Pressed {
  readonly pressure: Value;
  readonly tau: number;
}

/** Slots of the pressures of lengths. @throws Unmapped */
export function pressureOf(axes: ReadonlyMap<string, Pressed>): Slots {
  const [first, ...others] = [...axes];
  const [only, { pressure, tau }] = first!;
  const common = { pressure, tau_pressure: tau };
  if (others.length === 0) return { ...common, coupling: only === 'tri' ? 'triclinic' : only };
  const named = AXES.filter((axis) => axes.has(axis));
  if (named.length < axes.size || others.some(([, one]) => one.tau !== tau))
    throw new Unmapped('different relaxation times of pressures have no counterpart');
  const isOne = others.every(([, one]) => String(one.pressure) === String(pressure));
  return {
    ...common,
    ...(!isOne && { pressure: AXES.map((axis) => axes.get(axis)?.pressure ?? 0) }),
    coupling: 'aniso',
    ...(named.length < 3 && { axes: named.join('') }),
  };
}
