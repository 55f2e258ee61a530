import type { DeviceStrain, SeenStrain } from './DeviceStrain.js';
import { strainDoubles } from './strainDoubles.js';

/** Where, after the nine numbers, the least strain stands that lists allow for. */
export const LEAST = 9;
/** Where, after that, the strain stands that is taken in while another is left. */
export const TAKEN = 10;
/** Set in the last word of a record: distances have shrunk by more than lists allow for. */
export const STRAINED = 2 ** 30;
/** How much longer than in the reference a box with shears may become along an axis: beyond, nearest images are farther away. */
export const MOST_GROWN = 0.25;

/**
 * WGSL of the strain of a box, see `DeviceStrain`; empty where there is none.
 *
 *   strained(d)       a vector of the reference box as it is in the present one
 *   unstrained(d)     and back
 *   strainedPoint(r)  where a point of the reference box is
 *
 * Where its numbers are double-single, functions are those of `strainDoubles`.
 *
 * @param held whether a kernel calls `holdStrain()` once and looks at the numbers again and again.
 */
export function strainText(strain: SeenStrain | undefined, held = false): string {
  if (!strain) return '';
  if (strain.isDouble) return strainDoubles(strain, held);
  if (!strain.isSheared) return stretchText(strain, held);
  const at = placeOf(strain);
  const row = (...places: readonly (number | null)[]) =>
    `vec3f(${places.map((k) => (k === null ? '0.0' : at(k))).join(', ')})`;
  const rows = { X: row(0, null, null), Y: row(3, 1, null), Z: row(4, 5, 2) };
  const own = held
    ? `var<private> strainX: vec3f;
var<private> strainY: vec3f;
var<private> strainZ: vec3f;
fn holdStrain() { ${Object.entries(rows)
        .map(([axis, text]) => `strain${axis} = ${text};`)
        .join(' ')} }`
    : '';
  const [x, y, z] = held ? ['strainX', 'strainY', 'strainZ'] : [rows.X, rows.Y, rows.Z];
  return `
// The box is that of values of the context: vectors of the reference box, strained by them.
${own}
fn strained(d: vec3f) -> vec3f {
  let a = ${x};
  let b = ${y};
  let c = ${z};
  return d + vec3f(d.x * a.x + d.y * b.x + d.z * c.x, d.y * b.y + d.z * c.y, d.z * c.z);
}
fn unstrained(d: vec3f) -> vec3f {
  let a = ${x};
  let b = ${y};
  let c = ${z};
  let z = d.z / (1.0 + c.z);
  let y = (d.y - z * c.y) / (1.0 + b.y);
  return vec3f((d.x - y * b.x - z * c.x) / (1.0 + a.x), y, z);
}
fn strainedPoint(r: vec3f) -> vec3f { return strained(r) + ${row(6, 7, 8)}; }
`;
}

const placeOf =
  ({ place }: Pick<SeenStrain, 'place'>) =>
  (k: number) =>
    `values[${place + k}u].x`;

/** The same without shears: three operations for a vector instead of nine. */
function stretchText(strain: SeenStrain, held: boolean): string {
  const at = placeOf(strain);
  const vector = (first: number) => `vec3f(${[0, 1, 2].map((k) => at(first + k)).join(', ')})`;
  const own = held
    ? `var<private> stretch: vec3f;
fn holdStrain() { stretch = ${vector(0)}; }`
    : '';
  const stretch = held ? 'stretch' : vector(0);
  return `
// The lengths of the box are those of values of the context: vectors of the reference box, stretched by them.
${own}
fn strained(d: vec3f) -> vec3f { return d + d * ${stretch}; }
fn unstrained(d: vec3f) -> vec3f { return d / (1.0 + ${stretch}); }
fn strainedPoint(r: vec3f) -> vec3f { return strained(r) + ${vector(6)}; }
`;
}

/** A condition: distances may have shrunk by more than lists allow for, or a box with shears has grown by much. The least stretch is at least that of the diagonal less the shears. */
export function beyondBand(strain: DeviceStrain): string {
  const at = placeOf(strain);
  const least = `min(${at(0)}, min(${at(1)}, ${at(2)}))`;
  if (!strain.isSheared) return `!(${least} >= ${at(LEAST)})`;
  const shears = `abs(${at(3)}) + abs(${at(4)}) + abs(${at(5)})`;
  const most = `max(${at(0)}, max(${at(1)}, ${at(2)}))`;
  // A comparison that not-a-number fails too.
  return `!(${least} - (${shears}) >= ${at(LEAST)} && ${most} <= ${MOST_GROWN})`;
}
