import type { Slots } from '../Draft.js';
import { AXES, type FixParts, type Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** Words after each style. */
const COUNTS: Readonly<Record<string, number>> = { linear: 3, wiggle: 4, rotate: 7 };

/** What `fix move linear|wiggle|rotate …` becomes. @throws Unmapped, CorpuscleError */
export function prescribedMotion(
  script: Script,
  [style = '', ...args]: readonly string[],
  slot: Slots,
): FixParts {
  const count = COUNTS[style];
  if (count === undefined) throw new Unmapped(`move ${style} has no counterpart`);
  const rest = args.slice(count).join(' ');
  if (!/^(units (box|lattice))?$/.test(rest))
    throw new Unmapped(`move with ${rest} has no counterpart`);
  const scale = rest === 'units box' ? [1, 1, 1] : script.crystal.spacing;
  const lengths = (from: number) =>
    [0, 1, 2].map((k) =>
      args[from + k] === 'NULL' ? 0 : script.number(args[from + k]) * scale[k]!,
    );
  const axes = AXES.filter((_, k) => args[k] !== 'NULL').join('');
  const along = axes === 'xyz' ? slot : { axes, ...slot };
  const motion: Readonly<Record<string, () => Slots>> = {
    linear: () => ({ velocity: lengths(0), ...along }),
    wiggle: () => ({
      wiggle: { amplitude: lengths(0), period: script.number(args[3]) },
      ...along,
    }),
    rotate: () => ({
      rotate: {
        point: lengths(0),
        axis: [3, 4, 5].map((k) => script.number(args[k])),
        period: script.number(args[6]),
      },
      ...slot,
    }),
  };
  return { scheme: [{ prescribed_motion: motion[style]!() }] };
}
