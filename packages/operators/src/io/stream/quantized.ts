import { CorpuscleError, Domain } from '@corpuscle/core';
import type { ExtraColumn, ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/** The largest number of sixteen bits. */
const MOST = 65535;

/** What is told of a frame beside its particles. */
interface Head {
  readonly count: number;
  readonly step: number | undefined;
  readonly time: number | undefined;
  readonly lattice: readonly number[];
  readonly origin: ParticleFrame['origin'];
  readonly periodic: ParticleFrame['periodic'];
  readonly species: readonly string[];
  /** Parts of the box that 0 and 65535 are, along a, b and c: 0 and 1 where it is periodic. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** The number of each particle that comes along, and what 0 and 65535 are. */
  readonly field: {
    readonly name: string;
    readonly least: number;
    readonly greatest: number;
  } | null;
}

/** A number of a particle that a quantized frame can have. */
export const streamedFields = ['speed', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz'] as const;
export type StreamedField = (typeof streamedFields)[number];

/**
 * A frame in sixteen bits a number, for those who look at it: six to ten bytes a particle. Positions are right to
 * 1/131070 of the box, or of what is filled of it where it is open.
 *
 *   length of head │ head: JSON │ spaces to a multiple of 4 │ positions 3 × count │ types count │ field count
 */
export function quantizedFrame(frame: ParticleFrame, field: StreamedField | null): Uint8Array {
  const { count, origin, periodic, species, type, step, time } = frame;
  const lattice = frame.lattice!; // grids have a box always
  const parts = fractionsOf(frame, lattice);
  const [lower, upper] = boundsOf(parts, periodic);
  const values = field && valuesOf(frame, field);
  const [least, greatest] = values ? rangeOf(values) : [0, 0];
  const head: Head = {
    ...{ count, step, time, lattice, origin, periodic, species, lower, upper },
    field: values && field ? { name: field, least, greatest } : null,
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const begin = 4 + 4 * Math.ceil(json.length / 4);
  const bytes = new Uint8Array(begin + 2 * count * (values ? 5 : 4)).fill(0x20, 0, begin);
  new DataView(bytes.buffer).setUint32(0, begin - 4, true);
  bytes.set(json, 4);
  const numbers = new Uint16Array(bytes.buffer, begin);
  const scale = upper.map((most, k) => MOST / (most - lower[k]!));
  for (let k = 0; k < 3 * count; k++)
    numbers[k] = (parts[k]! - lower[k % 3]!) * scale[k % 3]! + 0.5;
  numbers.set(type, 3 * count);
  if (values) {
    const steps = MOST / (greatest - least || 1);
    for (let k = 0; k < count; k++) numbers[4 * count + k] = (values[k]! - least) * steps + 0.5;
  }
  return bytes;
}

/** The frame of `quantizedFrame`. @throws CorpuscleError FILE_FORMAT for other bytes */
export function readQuantized(bytes: Uint8Array): ParticleFrame {
  const length =
    bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const begin = 4 + length;
  const head = headOf(bytes.subarray(4, begin));
  const { count, lattice, origin, lower, upper, field } = head;
  const has = bytes.length - begin;
  if (has !== 2 * count * (field ? 5 : 4))
    throw new CorpuscleError(
      'FILE_FORMAT',
      `a streamed frame of ${count} particles has ${has} bytes of them: both ends must be of one version`,
    );
  const numbers = new Uint16Array(new Uint8Array(bytes.subarray(begin)).buffer);
  const position = new Float64Array(3 * count);
  const s = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++)
      s[k] = lower[k]! + (numbers[3 * i + k]! / MOST) * (upper[k]! - lower[k]!);
    for (let axis = 0; axis < 3; axis++)
      position[3 * i + axis] =
        origin[axis]! +
        s[0]! * lattice[axis]! +
        s[1]! * lattice[3 + axis]! +
        s[2]! * lattice[6 + axis]!;
  }
  const extra = new Map<string, ExtraColumn>();
  if (field) {
    const step = (field.greatest - field.least) / MOST;
    const values = Float64Array.from(numbers.subarray(4 * count), (n) => field.least + n * step);
    extra.set(field.name, { type: 'R', width: 1, values });
  }
  return {
    ...{ count, lattice, origin, position, extra },
    ...{ periodic: head.periodic, species: head.species, step: head.step, time: head.time },
    type: Uint32Array.from(numbers.subarray(3 * count, 4 * count)),
    id: Float64Array.from({ length: count }, (_, k) => k),
    ...{ velocity: null, mass: null, charge: null },
    properties: new Map(),
  };
}

function headOf(json: Uint8Array): Head {
  try {
    return JSON.parse(new TextDecoder().decode(json)) as Head;
  } catch (cause) {
    throw new CorpuscleError('FILE_FORMAT', 'these bytes are no streamed frame', { cause });
  }
}

/** Parts of the box along a, b and c; from 0 to 1 where it is periodic. */
function fractionsOf(
  { count, position, origin, periodic }: ParticleFrame,
  lattice: readonly number[],
): Float64Array {
  const { inverse } = Domain.triclinic(lattice);
  const parts = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const x = position[3 * i]! - origin[0];
    const y = position[3 * i + 1]! - origin[1];
    const z = position[3 * i + 2]! - origin[2];
    for (let k = 0; k < 3; k++) {
      const s = x * inverse[k]! + y * inverse[3 + k]! + z * inverse[6 + k]!;
      parts[3 * i + k] = periodic[k] ? s - Math.floor(s) : s;
    }
  }
  return parts;
}

function boundsOf(
  parts: Float64Array,
  periodic: readonly boolean[],
): [lower: number[], upper: number[]] {
  const [lower, upper] = [
    [0, 0, 0],
    [1, 1, 1],
  ];
  for (let k = 0; k < 3; k++) {
    if (periodic[k] || parts.length === 0) continue;
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = k; at < parts.length; at += 3) {
      least = Math.min(least, parts[at]!);
      most = Math.max(most, parts[at]!);
    }
    [lower[k], upper[k]] = [least, most > least ? most : least + 1];
  }
  return [lower, upper];
}

function rangeOf(values: Float64Array): [least: number, greatest: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

function valuesOf(
  { count, velocity, force }: ParticleFrame,
  field: StreamedField,
): Float64Array | null {
  const of = field.startsWith('f') ? force : velocity;
  if (!of) return null;
  const value =
    field === 'speed'
      ? (i: number) => Math.hypot(of[3 * i]!, of[3 * i + 1]!, of[3 * i + 2]!)
      : (i: number) => of[3 * i + 'xyz'.indexOf(field[1]!)]!;
  return Float64Array.from({ length: count }, (_, i) => value(i));
}
