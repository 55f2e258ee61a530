import type { Slots } from '../Draft.js';
import { type Pressed, pressureOf } from './noseHoover.js';
import type { FixParts, Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** The bulk modulus that LAMMPS takes where none is given. */
const MODULUS = 10;

/** What press/berendsen becomes. @throws Unmapped, CorpuscleError */
export function berendsenBox(script: Script, args: readonly string[], slot: Slots): FixParts {
  const axes = new Map<string, Pressed>();
  let modulus = MODULUS;
  let couple = 'none';
  for (let k = 0; k < args.length; ) {
    const [key, value] = args.slice(k, k + 2) as [string, string?];
    if (/^(iso|aniso|[xyz])$/.test(key)) {
      axes.set(key, { pressure: script.ramp(args, k + 1), tau: script.number(args[k + 3]) });
      k += 4;
    } else {
      if (key === 'modulus') modulus = script.number(value);
      else if (key === 'couple') couple = value ?? '';
      else if (key !== 'dilate' || value !== 'all')
        throw new Unmapped(`its keyword ${key} ${value ?? ''} has no counterpart`);
      k += 2;
    }
  }
  if (axes.size === 0) throw script.mistake('press/berendsen needs iso, aniso, x, y or z');
  const { coupling, ...slots } = coupled(pressureOf(axes), couple);
  const own = coupling === 'iso' ? {} : { coupling };
  return { scheme: [{ berendsen: { ...slots, ...own, compressibility: 1 / modulus, ...slot } }] };
}

/** The same with lengths that change together. */
function coupled(slots: Slots, couple: string): Slots {
  if (couple === 'none' || slots.coupling === 'iso') return slots;
  const axes = slots.coupling === 'aniso' ? String(slots.axes ?? 'xyz') : String(slots.coupling);
  const isOne = !Array.isArray(slots.pressure) || slots.pressure.length === 2;
  const isWithin = /^(xyz|xy|yz|xz)$/.test(couple) && [...couple].every((a) => axes.includes(a));
  if (!isOne || !isWithin)
    throw new Unmapped(`couple ${couple} of these pressures has no counterpart`);
  const { axes: _, ...rest } = slots;
  if (couple === axes) return { ...rest, coupling: 'iso', ...(axes.length < 3 && { axes }) };
  return { ...rest, coupling: couple };
}
