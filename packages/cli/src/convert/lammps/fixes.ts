import { dimensions, UnitSystem } from '@corpuscle/core';
import type { Slots, Value } from '../Draft.js';
import { berendsenBox } from './berendsenBox.js';
import { deformBox } from './deformBox.js';
import { prescribedMotion } from './motions.js';
import { noseHoover } from './noseHoover.js';
import { relaxBox } from './relaxBox.js';
import { AXES, type Fix, type FixParts, type Script } from './Script.js';
import { Unmapped } from './Unmapped.js';
import { reflect, wallOfRegion, walls } from './walls.js';

type Make = (script: Script, args: readonly string[], slot: Slots) => FixParts;

const three = (script: Script, args: readonly string[], from = 0): number[] =>
  [0, 1, 2].map((k) => script.number(args[from + k]));

const gravity: Make = (script, args, slot) => {
  if (args[1] !== 'vector') throw new Unmapped(`gravity ${args[1]} has no counterpart`);
  const direction = three(script, args, 2);
  // LAMMPS gives it as a force of a mass of 1.
  const units = UnitSystem.of(script.units);
  const [force, mass] = [dimensions.force, dimensions.mass].map((of) => units.toInternal(1, of));
  const size = script.number(args[0]) * units.fromInternal(force! / mass!, dimensions.acceleration);
  const length = Math.hypot(...direction);
  return {
    force: [{ gravity: { acceleration: direction.map((x) => (size * x) / length), ...slot } }],
  };
};

const spring: Make = (script, args, slot) => {
  if (args[0] !== 'tether') throw new Unmapped(`spring ${args[0]} has no counterpart`);
  const axes = AXES.filter((_, k) => args[2 + k] !== 'NULL').join('');
  const point = [0, 1, 2].map((k) => (args[2 + k] === 'NULL' ? 0 : script.number(args[2 + k])));
  const r0 = script.number(args[5]);
  return {
    force: [
      {
        spring: { point, k: script.number(args[1]), r0, ...(axes !== 'xyz' && { axes }), ...slot },
      },
    ],
  };
};

/** Styles that map; their arguments begin after `fix id group style`. */
const styles: Readonly<Record<string, Make>> = {
  nve: (_, __, slot) => ({ scheme: [{ velocity_verlet: slot }] }),
  'nve/limit': (script, args, slot) => ({
    scheme: [{ velocity_verlet_limit: { limit: script.number(args[0]), ...slot } }],
    moves: true,
  }),
  nvt: noseHoover,
  npt: noseHoover,
  nph: noseHoover,
  langevin: (script, args, slot) => {
    const extra = args.slice(4).join(' ');
    if (extra !== '' && extra !== 'zero no')
      throw new Unmapped(`langevin with ${extra} has no counterpart`);
    const temperature = script.ramp(args, 0);
    const [damping, seed] = [script.number(args[2]), script.whole(args[3])];
    return { scheme: [{ langevin: { temperature, damping, seed, ...slot } }], moves: true };
  },
  'temp/berendsen': (script, args, slot) => ({
    scheme: [
      { berendsen: { temperature: script.ramp(args, 0), tau: script.number(args[2]), ...slot } },
    ],
  }),
  'temp/csvr': (script, args, slot) => ({
    scheme: [
      {
        bussi: {
          temperature: script.ramp(args, 0),
          tau: script.number(args[2]),
          seed: script.whole(args[3]),
          ...slot,
        },
      },
    ],
  }),
  'temp/rescale': (script, args, slot) => ({
    scheme: [
      {
        rescale: {
          frequency: script.whole(args[0]),
          temperature: script.ramp(args, 1),
          window: script.number(args[3]),
          fraction: script.number(args[4]),
          ...slot,
        },
      },
    ],
  }),
  'press/berendsen': berendsenBox,
  deform: deformBox,
  'box/relax': relaxBox,
  move: prescribedMotion,
  freeze: (_, __, slot) => ({ force: [{ set_force: { x: 0, y: 0, z: 0, ...slot } }] }),
  setforce: (script, args, slot) => {
    if (args.length > 3) throw new Unmapped(`setforce with ${args[3]} has no counterpart`);
    const given = AXES.flatMap((axis, k) =>
      args[k] === 'NULL' ? [] : [[axis, script.number(args[k])]],
    );
    return { force: [{ set_force: { ...Object.fromEntries(given), ...slot } }] };
  },
  addforce: (script, args, slot) => {
    if (args.length > 3) throw new Unmapped(`addforce with ${args[3]} has no counterpart`);
    return { force: [{ add_force: { force: three(script, args), ...slot } }] };
  },
  efield: (script, args, slot) => {
    if (args.length > 3) throw new Unmapped(`efield with ${args[3]} has no counterpart`);
    const field = three(script, args);
    // LAMMPS takes volt per angstrom in real and metal.
    const unit = script.units === 'real' || script.units === 'metal' ? ' eV/ang/e' : '';
    return {
      force: [{ efield: { field: unit ? field.map((x) => `${x}${unit}`) : field, ...slot } }],
    };
  },
  gravity,
  spring,
  'spring/self': (script, args, slot) => ({
    force: [
      { spring_self: { k: script.number(args[0]), ...(args[1] && { axes: args[1] }), ...slot } },
    ],
  }),
  'wall/lj93': walls('lj93'),
  'wall/lj126': walls('lj126'),
  'wall/harmonic': walls('harmonic'),
  'wall/region': wallOfRegion,
  'wall/reflect': reflect,
  momentum: (script, args, slot) => {
    const words = args.slice(1).join(' ');
    if (!/^(linear 1 1 1)?( ?angular)?$/.test(words))
      throw new Unmapped(`momentum ${words} has no counterpart`);
    const frequency = script.whole(args[0]);
    const isAngular = words.includes('angular');
    return {
      dump: [
        {
          remove_momentum: {
            ...(!words.includes('linear') && { linear: false }),
            ...(isAngular && { angular: true }),
            frequency,
            ...slot,
          },
        },
      ],
    };
  },
};

/** What `fix id group style args…` becomes. @throws Unmapped, CorpuscleError */
export function fixOf(script: Script, [id, group, style, ...args]: readonly string[]): Fix {
  if (!id || !style) throw script.mistake('fix needs a name, a group and a style');
  const slot = script.groupSlot(group);
  if (!Object.hasOwn(styles, style)) throw new Unmapped(`there is no counterpart of fix ${style}`);
  return { id, style, group: group!, ...styles[style]!(script, args, slot) };
}

/**
 * `numerical_scheme` of the fixes that are active: nve of a group that a thermostat moves is part of it, and what changes the box
 * at the end of a step comes last.
 */
export function schemeOf(fixes: readonly Fix[]): readonly Value[] {
  const moved = new Set(fixes.filter(({ moves }) => moves).map(({ group }) => group));
  const used = fixes.filter(({ style, group }) => style !== 'nve' || !moved.has(group));
  const ordered = [...used.filter(({ isLast }) => !isLast), ...used.filter(({ isLast }) => isLast)];
  return ordered.flatMap(({ scheme = [] }) => scheme);
}
