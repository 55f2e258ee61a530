import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/** The group of particles that a file of ours has; tools that want only one call it so. */
export const groupName = 'trajectory';

/** A quantity of each particle, as H5MD has it: a group with step, time and value. */
export interface Element {
  readonly name: string;
  readonly width: number;
  /** Whole numbers are packed: most are the same in every frame. */
  readonly kind: 'real' | 'whole';
  readonly isPacked: boolean;
  readonly values: ArrayLike<number>;
}

/** What a frame has for H5MD; particles without ids are counted. Texts have no place there. */
export function elementsOf(frame: ParticleFrame): readonly Element[] {
  const { count, id } = frame;
  const real = (name: string, width: number, values?: Float64Array | null): Element[] =>
    values ? [{ name, width, kind: 'real', isPacked: false, values }] : [];
  const packed = (name: string, width: number, values?: ArrayLike<number> | null): Element[] =>
    values ? [{ name, width, kind: 'real', isPacked: true, values }] : [];
  const whole = (name: string, width: number, values?: ArrayLike<number> | null): Element[] =>
    values ? [{ name, width, kind: 'whole', isPacked: true, values }] : [];
  return [
    ...real('position', 3, frame.position),
    ...whole('id', 1, id ?? Float64Array.from({ length: count }, (_, k) => k)),
    ...whole('species', 1, frame.type),
    ...whole('image', 3, frame.image),
    ...real('velocity', 3, frame.velocity),
    ...real('force', 3, frame.force),
    ...packed('mass', 1, frame.mass),
    ...packed('charge', 1, frame.charge),
    ...real('energy', 1, frame.energy),
    ...whole('molecule', 1, frame.molecule),
    ...[...frame.extra].flatMap(([name, { width, values }]) =>
      values instanceof Float64Array ? packed(name, width, values) : [],
    ),
  ];
}

/** Names of elements that have a place of their own in a frame. */
export const knownElements: readonly string[] = [
  ...['position', 'id', 'species', 'image', 'velocity', 'force', 'mass', 'charge', 'energy'],
  ...['molecule', 'box'],
];
