import type { Slots, Value } from '../Draft.js';
import type { Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** `velocity group style …` */
export function setVelocity(script: Script, [group, style, ...args]: readonly string[]): void {
  const slot = script.groupSlot(group);
  const keywords = new Map<string, string>();
  const from = { create: 2, set: 3, zero: 1 }[style ?? ''] ?? 0;
  for (let k = from; k < args.length; k += 2) keywords.set(args[k]!, args[k + 1] ?? '');
  if (style === 'create') {
    for (const [key, value] of keywords)
      if (
        !(key === 'temp' && isTemperatureOf(script, value, group)) &&
        !/^(mom yes|rot no|dist \w+|loop \w+|units box|units lattice)$/.test(`${key} ${value}`)
      )
        throw new Unmapped(`velocity create with ${key} ${value} has no counterpart`);
    const isGeom = keywords.get('loop') === 'geom' && keywords.get('dist') !== 'gaussian';
    script.here.add('init_temperature', {
      ...{ temperature: script.number(args[0]), seed: script.whole(args[1]) },
      ...(isGeom && { method: 'lammps_geom' }),
      ...slot,
    });
  } else if (style === 'set' && keywords.get('sum') === 'yes')
    throw new Unmapped('velocity set with sum yes has no counterpart');
  else if (style === 'set') setVelocities(script, args, keywords.get('units') === 'box', slot);
  else if (style === 'zero' && /^(linear|angular)$/.test(args[0] ?? ''))
    script.here.add('remove_momentum', {
      ...(args[0] === 'angular' && { linear: false, angular: true }),
      ...slot,
    });
  else throw new Unmapped(`velocity ${style} has no counterpart`);
}

/** Whether a compute is the temperature of a group, which is that of its velocities by default. */
export function isTemperatureOf(
  { computes }: Script,
  id: string,
  group: string | undefined,
): boolean {
  const compute = computes.get(id);
  return compute?.style === 'temp' && compute.args[0] === group;
}

function setVelocities(
  script: Script,
  args: readonly string[],
  isBox: boolean,
  slot: { readonly group?: string },
): void {
  const scale = isBox ? [1, 1, 1] : script.crystal.spacing;
  const given = [0, 1, 2].map((k) =>
    args[k] === 'NULL' ? null : script.number(args[k]) * scale[k]!,
  );
  if (given.every((v) => v !== null))
    script.here.add('set', { velocity: given as number[], ...slot });
  else {
    const fields = Object.fromEntries(
      given.flatMap((v, k) => (v === null ? [] : [[`v${'xyz'[k]}`, v]])),
    );
    script.here.add('set', { fields, ...slot });
  }
}

/** `set style id keyword values`: types, also of a random part, masses and charges. */
export function setValues(script: Script, [style, id, ...args]: readonly string[]): void {
  let where: Slots;
  if (style === 'type')
    where = { region: { types: script.typeRange(id).map((k) => script.types[k]!.name) } };
  else if (style === 'group') where = script.groupSlot(id);
  else if (style === 'region') where = { region: script.regionName(id) };
  else throw new Unmapped(`set ${style} has no counterpart`);
  const slots: Record<string, Value> = {};
  for (let k = 0; k < args.length; k += 2) {
    if (args[k] === 'type') slots.type = script.typeName(args[k + 1]);
    else if (args[k] === 'type/fraction') {
      const [fraction, seed] = [script.number(args[k + 2]), script.whole(args[k + 3])];
      script.here.add('set', { type: script.typeName(args[k + 1]), fraction, seed, ...where });
      k += 2;
    } else if (args[k] === 'mass' || args[k] === 'charge')
      slots[args[k]!] = script.number(args[k + 1]);
    else throw new Unmapped(`set … ${args[k]} has no counterpart`);
  }
  if (Object.keys(slots).length > 0) script.here.add('set', { ...slots, ...where });
}

/** `delete_atoms group|region|overlap …` */
export function deleteAtoms(script: Script, [style, id, ...args]: readonly string[]): void {
  if (
    args.some((word) => /^(mol|bond|condense)$/.test(word)) &&
    args.includes('yes') &&
    args.includes('mol')
  )
    throw new Unmapped('delete_atoms with mol yes has no counterpart');
  if (style === 'group') script.here.add('delete_particles', script.groupSlot(id));
  else if (style === 'region')
    script.here.add('delete_particles', { region: script.regionName(id) });
  else if (style === 'overlap' && args[0] === 'all' && args[1] === 'all')
    script.here.add('delete_particles', { overlap: script.number(id) });
  else throw new Unmapped(`delete_atoms ${style} has no counterpart`);
}

/** `displace_atoms group move|ramp|random|rotate …` */
export function displaceAtoms(script: Script, [group, style, ...args]: readonly string[]): void {
  const slot = script.groupSlot(group);
  const units = args.indexOf('units');
  const scale = args[units + 1] === 'box' && units >= 0 ? [1, 1, 1] : script.crystal.spacing;
  const three = (from: number) => [0, 1, 2].map((k) => script.number(args[from + k]) * scale[k]!);
  if (style === 'move') script.here.add('displace_particles', { move: three(0), ...slot });
  else if (style === 'random')
    script.here.add('displace_particles', {
      random: three(0),
      seed: script.whole(args[3]),
      ...slot,
    });
  else if (style === 'rotate')
    script.here.add('displace_particles', {
      rotate: {
        point: three(0),
        axis: [3, 4, 5].map((k) => script.number(args[k])),
        angle: script.number(args[6]),
      },
      ...slot,
    });
  else throw new Unmapped(`displace_atoms ${style} has no counterpart`);
}

/** `replicate nx ny nz` */
export function replicate(script: Script, args: readonly string[]): void {
  const repeat = [0, 1, 2].map((k) => script.whole(args[k]));
  if (repeat.some((n) => n < 1)) throw script.mistake('replicate needs three whole numbers from 1');
  script.here.add('replicate', { repeat });
  const { box } = script;
  if (box) {
    const { lower, tilt } = box;
    const lengths = lower.map((low, k) => (box.upper[k]! - low) * repeat[k]!);
    const [ny, nz] = [repeat[1]!, repeat[2]!];
    script.box = {
      lower,
      upper: lower.map((low, k) => low + lengths[k]!),
      tilt: [tilt[0]! * ny, tilt[1]! * nz, tilt[2]! * nz],
    };
  }
}
