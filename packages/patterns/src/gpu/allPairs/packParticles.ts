import type { NearestImages } from '@corpuscle/core';
import type { KernelBuffer, KernelSource, ParamType } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';

export const PACK_LANES = 256;
const TURN = 2 ** 32;
/** Along an open axis a turn is so many times the particles' extent: differences never come near half of it. */
const ROOM = 8;

type Vector = readonly [number, number, number];

/**
 * Coordinates in which differences of u32 wrap around to the nearest image by themselves:
 *
 *   u_k = 2^32 (r · T_k) mod 2^32        T_k: dual of the reduced cell, and of long vectors along open directions
 *   d   = Σ_k i32(u_k − u'_k) · E_k / 2^32
 *
 * A coordinate's error is 2^−33 of the box, and a difference is as exact as single precision holds it.
 */
export interface Turns {
  /** E_k by rows. */
  readonly vectors: readonly number[];
  /** T_k by rows. */
  readonly duals: readonly number[];
  readonly periodic: readonly [boolean, boolean, boolean];
}

/** Turns for particles that lie in a frame. */
export function turnsOf(images: NearestImages, frame: PositionFrame): Turns {
  const extent = [0, 1, 2].reduce((sum, k) => {
    const edge = frame.edges.slice(3 * k, 3 * k + 3);
    return sum + frame.dims[k]! * Math.hypot(...edge);
  }, 0);
  const rows = [0, 1, 2].map((k): Vector => vectorAt(images.basis, k));
  const duals = [0, 1, 2].map(
    (k): Vector => [images.dual[k]!, images.dual[3 + k]!, images.dual[6 + k]!],
  );
  const periodic = rows.map((v) => dot(v, v) > 0);
  for (let k = 0; k < 3; k++) {
    if (periodic[k]) continue;
    // Vectors found for other open directions count too.
    const normal = orthogonalTo(
      rows.filter((v) => dot(v, v) > 0),
      k,
    );
    rows[k] = scaled(normal, ROOM * extent);
    duals[k] = scaled(normal, 1 / (ROOM * extent));
  }
  return {
    vectors: rows.flat(),
    duals: duals.flat(),
    periodic: periodic as [boolean, boolean, boolean],
  };
}

/** Uniform members of `packKernel` that belong to the turns. */
export function turnValues(
  { duals, periodic }: Turns,
  frame: PositionFrame,
): Record<string, readonly number[]> {
  const values: Record<string, readonly number[]> = {
    wraps: [...periodic.map(Number), 0],
  };
  const base = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const edge = vectorAt(frame.edges, axis);
    const [high, low, span, along]: number[][] = [[], [], [], []];
    for (let k = 0; k < 3; k++) {
      const step = dot(edge, vectorAt(duals, k));
      const whole = (step - Math.floor(step)) * TURN;
      high!.push(Math.floor(whole) >>> 0);
      low!.push(Math.floor((whole - Math.floor(whole)) * 2 ** 22));
      span!.push(step);
      along!.push(duals[3 * k + axis]!);
      base[k]! -= (step * (frame.dims[axis]! - 1)) / 2;
    }
    values[`high${axis}`] = [...high!, 0];
    values[`low${axis}`] = [...low!, 0];
    values[`span${axis}`] = [...span!, 0];
    values[`along${axis}`] = [...along!, 0];
  }
  values.base = [...base.map((s) => Math.floor((s - Math.floor(s)) * TURN) >>> 0), 0];
  values.start = [...base, 0];
  return values;
}

/** Uniform members of `turnValues`. */
export const turnParams: Record<string, ParamType> = {
  wraps: 'vec4f',
  base: 'vec4u',
  start: 'vec4f',
};
for (let axis = 0; axis < 3; axis++) {
  turnParams[`high${axis}`] = turnParams[`low${axis}`] = 'vec4u';
  turnParams[`span${axis}`] = turnParams[`along${axis}`] = 'vec4f';
}

const packParams: Record<string, ParamType> = {
  ...turnParams,
  count: 'u32',
  padded: 'u32',
  version: 'u32',
};

/** Row number of what pads a set to whole tiles, and of a particle that was named and is not there. */
export const NO_ROW = 0xffffffff;

/** What a kernel that packs writes to, and the rows it takes where it does not take all. */
export const packTargets = (listed: boolean): KernelBuffer[] => [
  ...(listed ? [{ name: 'rows', type: 'array<u32>', access: 'read' } as const] : []),
  { name: 'packed', type: 'array<vec4u>', access: 'read_write' },
  { name: 'fault', type: 'array<u32>', access: 'read_write' },
];

const MISSING = `
  if (row == ${NO_ROW}u) {
    fault[0] = P.version;
    packed[index] = vec4u(0u, 0u, 0u, row);
    return;
  }`;

/** Statements that find the particle of a thread: its row, cell, and position x in the cell. */
export const packHead = (listed: boolean): string => `  if (index >= P.padded) { return; }
  if (index >= P.count) { packed[index] = vec4u(0u, 0u, 0u, ${NO_ROW}u); return; }
  let row = ${listed ? 'rows[index]' : 'index'};${listed ? MISSING : ''}
  let place = b_position[row];
${placeText}`;

/** Statements that find cell and position in it of a particle from its row of positions. */
const placeText = `  let cell = vec3u(place.w & 1023u, (place.w >> 10u) & 1023u, (place.w >> 20u) & 1023u);
  let x = bitcast<vec3f>(place.xyz);`;

/** The statement by which kernels that pack note a fault. */
const NOTE_FAULT = 'fault[0] = P.version;';

/**
 * Statements that note a fault where a particle, so many turns from its cell, is no number or far from an open frame.
 * @param note the statement that does
 */
export const noteFar = (turns: string, note = NOTE_FAULT): string => `  let c = vec3f(cell);
  let far = ${turns} + P.start.xyz + c.x * P.span0.xyz + c.y * P.span1.xyz + c.z * P.span2.xyz;
  let inside = (abs(far) < vec3f(0.2)) | ((P.wraps.xyz > vec3f(0.5)) & (abs(far) < vec3f(1e6)));
  if (!all(inside)) { ${note} }`;

/**
 * Packs the particles of a set as {u0, u1, u2, row}. Where a position is no number or is far outside an open frame, or a particle
 * is missing, the version of the positions is noted in `fault`.
 */
export const packSource = (listed: boolean): KernelSource => ({
  label: 'all pairs: pack',
  about: 'Packs the particles of a set, in units of the box; one thread a particle.',
  workgroupSize: PACK_LANES,
  buffers: [{ name: 'b_position', type: 'array<vec4u>', access: 'read' }, ...packTargets(listed)],
  params: packParams,
  body: `
${packHead(listed)}
${wrapText(NOTE_FAULT)}
  packed[index] = vec4u(u, row);`,
});

/** Statements that find the coordinates `u` that wrap around from `cell` and `x`. */
const wrapText = (
  note: string,
): string => `  var turns = x.x * P.along0.xyz + x.y * P.along1.xyz + x.z * P.along2.xyz;
${noteFar('turns', note)}
  turns -= round(turns);
  var u = P.base.xyz + bitcast<vec3u>(vec3i(turns * 4294967296.0));
  u += cell.x * P.high0.xyz + ((cell.x * P.low0.xyz) >> vec3u(22u));
  u += cell.y * P.high1.xyz + ((cell.y * P.low1.xyz) >> vec3u(22u));
  u += cell.z * P.high2.xyz + ((cell.z * P.low2.xyz) >> vec3u(22u));`;

/** A function that packs a particle from its row of positions. @param note a statement for a fault */
export const packFunction = (name: string, note: string): string => `
// The particle of a row in coordinates that wrap around.
fn ${name}(row: u32, place: vec4u) -> vec4u {
${placeText}
${wrapText(note)}
  return vec4u(u, row);
}`;

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (v: Vector, k: number): Vector => [v[0] * k, v[1] * k, v[2] * k];
const vectorAt = (matrix: readonly number[], k: number): Vector => [
  matrix[3 * k]!,
  matrix[3 * k + 1]!,
  matrix[3 * k + 2]!,
];

/** A unit vector orthogonal to one or two others; without others, axis k. */
function orthogonalTo(others: readonly Vector[], k: number): Vector {
  let best: Vector = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    let v = [0, 1, 2].map((c) => Number(c === (k + axis) % 3)) as unknown as Vector;
    for (const other of gramSchmidt(others)) {
      const along = dot(v, other);
      v = [v[0] - along * other[0], v[1] - along * other[1], v[2] - along * other[2]];
    }
    if (dot(v, v) > dot(best, best) * 1.5) best = v;
  }
  return scaled(best, 1 / Math.sqrt(dot(best, best)));
}

function gramSchmidt(vectors: readonly Vector[]): Vector[] {
  const made: Vector[] = [];
  for (const vector of vectors) {
    let v = vector;
    for (const e of made) {
      const along = dot(v, e);
      v = [v[0] - along * e[0], v[1] - along * e[1], v[2] - along * e[2]];
    }
    made.push(scaled(v, 1 / Math.sqrt(dot(v, v))));
  }
  return made;
}
