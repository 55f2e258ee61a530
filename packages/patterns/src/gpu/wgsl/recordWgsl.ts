/** The record of a reduction on the device: so many reals, so many ids, and how reals are stored. */
export interface DeviceRecord {
  readonly reals: number;
  readonly ids: number;
  readonly real: 'f32' | 'vec2f';
}

/** Words of a record. */
export const recordWords = ({ reals, ids, real }: DeviceRecord): number =>
  reals * (real === 'f32' ? 1 : 2) + ids;

/** Lanes whose records fit in the memory of a workgroup. */
export function recordLanes(record: DeviceRecord): number {
  let lanes = 64;
  while (lanes > 1 && 4 * lanes * recordWords(record) > 16384) lanes /= 2;
  return lanes;
}

/**
 * Every lane keeps a record of its own, `acc_…`; `joinOther()` joins `other_…` to it.
 *
 *   words of a record   [ reals | ids ]
 */
export function recordMemoryWgsl(record: DeviceRecord, lanes: number): string {
  const { reals, ids, real } = record;
  const words = real === 'f32' ? 1 : 2;
  const total = recordWords(record);
  const first = reals * words;
  const load =
    real === 'f32'
      ? 'bitcast<f32>(FROM[at + k])'
      : 'bitcast<vec2f>(vec2u(FROM[at + 2u * k], FROM[at + 2u * k + 1u]))';
  const loads = (from: string, to: string): string => `
  let at = record * ${total}u;
  for (var k = 0u; k < ${reals}u; k++) { ${to}_reals[k] = ${load.replaceAll('FROM', from)}; }
  for (var k = 0u; k < ${ids}u; k++) { ${to}_ids[k] = ${from}[at + ${first}u + k]; }`;
  const store =
    real === 'f32'
      ? 'OUT[at + k] = bitcast<u32>(acc_reals[k]);'
      : 'let w = bitcast<vec2u>(acc_reals[k]); OUT[at + 2u * k] = w.x; OUT[at + 2u * k + 1u] = w.y;';
  const idCount = Math.max(1, ids);
  return `
var<private> acc_reals: array<${real}, ${reals}>;
var<private> acc_ids: array<u32, ${idCount}>;
var<private> other_reals: array<${real}, ${reals}>;
var<private> other_ids: array<u32, ${idCount}>;
var<workgroup> lane_reals: array<array<${real}, ${reals}>, ${lanes}>;
var<workgroup> lane_ids: array<array<u32, ${idCount}>, ${lanes}>;
fn startRecord() {
  let record = 0u;${loads('identity', 'acc')}
}
fn loadOther(record: u32) {${loads('partials', 'other')}
}
fn storeRecord(record: u32) {
  let at = record * ${total}u;
  for (var k = 0u; k < ${reals}u; k++) { ${store.replaceAll('OUT', 'results')} }
  for (var k = 0u; k < ${ids}u; k++) { results[at + ${first}u + k] = acc_ids[k]; }
}
`;
}

/** How a functor reaches the record: the text of an element, and of a statement that sets one. */
export const recordEnv = {
  item: (role: string, field: string, index: string): string =>
    `${role === 'j' ? 'other' : 'acc'}_${field}[${index}]`,
  writeItem: (field: string, index: string, value: string): string =>
    `acc_${field}[${index}] = ${value};`,
} as const;

/** Joins the records of all lanes in the order of a binary tree; lane 0 stores the outcome as record `at`. */
export const recordTreeWgsl = (lanes: number, at: string): string => `
  lane_reals[lane] = acc_reals;
  lane_ids[lane] = acc_ids;
  workgroupBarrier();
  for (var half = ${2 ** Math.ceil(Math.log2(lanes)) / 2}u; half > 0u; half >>= 1u) {
    if (lane < half && lane + half < ${lanes}u) {
      other_reals = lane_reals[lane + half];
      other_ids = lane_ids[lane + half];
      joinOther();
      lane_reals[lane] = acc_reals;
      lane_ids[lane] = acc_ids;
    }
    workgroupBarrier();
  }
  if (lane == 0u) { storeRecord(${at}); }`;
