import { CorpuscleError, type Grid } from '@corpuscle/core';
import { bondParticles, bondsOf } from '../../bonds/bondParticles.js';

/** A particle that is not there yet; fields that are not named are 0. */
export interface NewParticle {
  readonly id: number;
  /** Values by field: rx, ry, rz, vx, type, mass, … */
  readonly fields: Readonly<Record<string, number>>;
}

/** What is wrong with a choice of all particles. */
export const ALL_DELETED =
  'all particles would be deleted: a run needs at least one, choose some by region, group, fraction or overlap';

/**
 * Takes particles away and adds others. Those that stay keep their order and all fields; bonds of those that go are gone. Host
 * copies must be current. Engines notice by `sortVersion` and the number of particles; what is bound to rows is stale.
 *
 * @param isKept by row
 * @throws CorpuscleError NO_PARTICLES when none would be left
 * @example
 * await newestOnHost(grid, ctx);
 * changeParticles(grid, (row) => grid.values('rz')[row]! < 10, []);
 */
export function changeParticles(
  grid: Grid,
  isKept: (row: number) => boolean,
  added: readonly NewParticle[],
): void {
  const kept = Uint32Array.from({ length: grid.count }, (_, row) => row).filter(isKept);
  const count = kept.length + added.length;
  if (count === 0) throw new CorpuscleError('NO_PARTICLES', ALL_DELETED);
  const bonds = bondsOf(grid);
  const before = [...grid.blocks.values()].map((block) => ({
    block,
    values: block.array.slice(0, grid.count * block.spec.width),
  }));
  grid.resize(count);
  for (const { block, values } of before) {
    const { array } = block;
    const { width } = block.spec;
    kept.forEach((row, place) => {
      for (let k = 0; k < width; k++) array[place * width + k] = values[row * width + k]!;
    });
    const rest = array.subarray(kept.length * width, count * width);
    if (rest instanceof BigUint64Array) rest.fill(0n);
    else rest.fill(0);
  }
  added.forEach(({ id, fields }, k) => {
    const row = kept.length + k;
    (grid.block('id').array as BigUint64Array)[row] = BigInt(id);
    for (const [name, value] of Object.entries(fields)) {
      const { block, component } = grid.field(name);
      const { array, spec } = grid.block(block);
      array[row * spec.width + component] = value;
    }
  });
  for (const block of grid.blocks.values()) block.rewritten();
  if (!bonds) return;
  const ids = new Set(grid.values('id'));
  const left = bonds.bonds.filter((bond) => bond.ids.every((id) => ids.has(id)));
  if (left.length < bonds.bonds.length) bondParticles(grid, left, bonds.scaling);
}
