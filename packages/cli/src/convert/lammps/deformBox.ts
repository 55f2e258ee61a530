import type { FixParts, Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** Of what LAMMPS calls a length or a tilt: the strain here, the axis whose spacing scales it, and the length that it is a part of. */
const PARTS: Readonly<
  Record<string, { readonly strain: string; readonly along: number; readonly of: number }>
> = {
  x: { strain: 'xx', along: 0, of: 0 },
  y: { strain: 'yy', along: 1, of: 1 },
  z: { strain: 'zz', along: 2, of: 2 },
  xy: { strain: 'xy', along: 0, of: 1 },
  xz: { strain: 'xz', along: 0, of: 2 },
  yz: { strain: 'yz', along: 1, of: 2 },
};
const TILTS = ['xy', 'xz', 'yz'];
/** Numbers after the words of a style; lengths have two of those that are marked. */
const COUNTS: Readonly<Record<string, readonly [length: number, tilt: number]>> = {
  ...{ final: [2, 1], delta: [2, 1], scale: [1, 0], vel: [1, 1] },
  ...{ erate: [1, 1], trate: [1, 0], wiggle: [2, 2] },
};
/** Fixes that change the box, so that it is not that of the script any more. */
const MOVES_BOX = /^(npt|nph|press\/berendsen|deform)$/;

interface Strains {
  readonly rate: Record<string, number>;
  readonly true_rate: Record<string, number>;
  readonly strain: Record<string, number>;
  readonly wiggle: { amplitude: Record<string, number>; period: number };
}

/** What `fix deform N parameter style numbers… keywords` becomes. @throws Unmapped, CorpuscleError */
export function deformBox(script: Script, args: readonly string[]): FixParts {
  if (script.whole(args[0]) !== 1)
    script.skip(`fix deform ${args[0]}`, 'the box changes in every step here', script.scheme);
  const strains: Strains = {
    ...{ rate: {}, true_rate: {}, strain: {} },
    wiggle: { amplitude: {}, period: 0 },
  };
  const at = args.indexOf('units');
  const scale = at >= 0 && args[at + 1] === 'box' ? [1, 1, 1] : script.crystal.spacing;
  let remap: string | undefined;
  let flip: boolean | undefined;
  for (let k = 1; k < args.length; ) {
    const [key, kind = ''] = args.slice(k, k + 2) as [string, string?];
    k += 2;
    if (key === 'remap') remap = { x: undefined, v: 'velocities', none: 'none' }[kind];
    else if (key === 'flip' && kind === 'no') flip = false;
    else if (key !== 'flip' && key !== 'units') {
      const part = PARTS[key];
      const count = COUNTS[kind]?.[TILTS.includes(key) ? 1 : 0] ?? 0;
      if (!part) throw new Unmapped(`deform ${key} has no counterpart`);
      if (count === 0)
        throw new Unmapped(
          `deform ${key} ${kind}${COUNTS[kind] ? ' multiplies a tilt, which' : ''} has no counterpart`,
        );
      const numbers = Array.from({ length: count }, (_, n) => script.number(args[k + n]));
      addStrain(script, strains, key, kind, numbers, scale[part.along]!);
      k += count;
    }
  }
  const { wiggle, ...others } = strains;
  const used = Object.entries(others).filter(([, of]) => Object.keys(of).length > 0);
  const slots = {
    ...Object.fromEntries(used),
    ...(wiggle.period > 0 && { wiggle }),
  };
  return { scheme: [{ deform: { ...slots, remap, flip, tilts: 'stay' } }], isLast: true };
}

function addStrain(
  script: Script,
  strains: Strains,
  key: string,
  kind: string,
  numbers: readonly number[],
  scale: number,
): void {
  const { strain, of } = PARTS[key]!;
  const [first, second] = numbers as [number, number?];
  if (kind === 'erate') strains.rate[strain] = first;
  else if (kind === 'trate') strains.true_rate[strain] = first;
  else if (kind === 'scale') strains.strain[strain] = first - 1;
  else {
    const { length, low, high, tilt } = presentBox(script, key, of);
    if (kind === 'vel') strains.rate[strain] = (first * scale) / length;
    else if (kind === 'wiggle') {
      const { wiggle } = strains;
      if (wiggle.period > 0 && wiggle.period !== second)
        throw new Unmapped('wiggles of different periods have no counterpart');
      wiggle.period = second!;
      wiggle.amplitude[strain] = (first * scale) / length;
    } else if (second === undefined)
      strains.strain[strain] = (first * scale - (kind === 'final' ? tilt : 0)) / length;
    else {
      const ends =
        kind === 'final' ? [first * scale - low, second * scale - high] : [first, second];
      const [lower, upper] = kind === 'final' ? ends : ends.map((end) => end * scale);
      if (Math.abs(lower! + upper!) > 1e-12 * length)
        script.skip(`deform ${key} ${kind}`, 'the box grows about its center here', script.scheme);
      strains.strain[strain] = (upper! - lower!) / length;
    }
  }
}

/** The length that a strain is a part of, its faces, and the tilt. @throws Unmapped where the script does not tell */
function presentBox({ box, stages }: Script, key: string, axis: number) {
  const isMoved = stages.some(({ fixes }) => fixes.some(({ style }) => MOVES_BOX.test(style)));
  if (!box || isMoved)
    throw new Unmapped(`deform ${key} in lengths needs a box that the script tells`);
  const [low, high] = [box.lower[axis]!, box.upper[axis]!];
  return { length: high - low, low, high, tilt: box.tilt[TILTS.indexOf(key)] ?? 0 };
}
