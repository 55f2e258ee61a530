/** Park and Miller's minimal generator, as LAMMPS' RanPark. */
const MULTIPLIER = 16807;
const MODULUS = 2147483647;
const WARM_UP = 5;

const bytes = new Int8Array(28); // signed, as `char` is where the published tables were made
const view = new DataView(bytes.buffer);

/**
 * Unscaled velocities of LAMMPS' `velocity … loop geom`: uniform in (−½, ½), seeded by a hash of the seed and the
 * particle's coordinates, so that they depend on neither order nor machine.
 *
 * Source: LAMMPS src/random_park.cpp (`RanPark::reset`), Jenkins' one-at-a-time hash over 28 little-endian bytes.
 */
export function lammpsGeom(
  seed: number,
  x: number,
  y: number,
  z: number,
  out: [number, number, number],
): void {
  view.setInt32(0, seed, true);
  view.setFloat64(4, x, true);
  view.setFloat64(12, y, true);
  view.setFloat64(20, z, true);
  let hash = 0;
  for (let k = 0; k < 28; k++) {
    hash = (hash + bytes[k]!) | 0;
    hash = (hash + (hash << 10)) | 0;
    hash ^= hash >>> 6;
  }
  hash = (hash + (hash << 3)) | 0;
  hash ^= hash >>> 11;
  hash = (hash + (hash << 15)) | 0;
  let state = hash & 0x7ffffff || 1;
  for (let k = 0; k < WARM_UP; k++) state = next(state);
  for (let axis = 0; axis < 3; axis++) {
    state = next(state);
    out[axis] = state * (1 / MODULUS) - 0.5;
  }
}

/** `state · MULTIPLIER` modulo MODULUS. All numbers are exact below 2^53; `%` of doubles takes several times as long. */
function next(state: number): number {
  const product = state * MULTIPLIER;
  const rest = product - MODULUS * Math.floor(product / MODULUS);
  return rest < 0 ? rest + MODULUS : rest;
}
