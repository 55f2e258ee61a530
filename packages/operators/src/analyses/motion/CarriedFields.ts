import { type BlockSpec, CorpuscleError, type Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';

/**
 * Fields of particles from one frame of a file to the next. A frame comes in an order of its own, and with fresh fields: ids tell
 * which particle is which.
 */
export class CarriedFields {
  #rows: ReadonlyMap<bigint, number> | undefined;
  readonly #values = new Map<string, { readonly spec: BlockSpec; readonly values: Float64Array }>();

  /** Takes copies of blocks of 64-bit numbers. */
  async take(grid: Grid, ctx: ExecutionContext, specs: readonly BlockSpec[]): Promise<void> {
    const fields = specs.flatMap(({ members }) => members.filter((name) => name !== null));
    await newestOnHost(grid, ctx, [...fields, 'id']);
    const ids = grid.block('id').array as BigUint64Array;
    this.#rows = new Map(Array.from({ length: grid.count }, (_, row) => [ids[row]!, row]));
    for (const spec of specs) {
      const values = grid.block(spec.name).array.slice(0, spec.width * grid.count) as Float64Array;
      this.#values.set(spec.name, { spec, values });
    }
  }

  /** Gives the particles of a frame what they had; nothing before the first `take`. @throws CorpuscleError INVALID_VALUE */
  async give(grid: Grid, ctx: ExecutionContext): Promise<void> {
    const rows = this.#rows;
    if (!rows) return;
    await newestOnHost(grid, ctx, ['id']);
    const ids = grid.block('id').array as BigUint64Array;
    const from = Array.from({ length: grid.count }, (_, row) => {
      const found = rows.get(ids[row]!);
      if (found !== undefined) return found;
      throw newParticle(ids[row]!);
    });
    for (const { spec, values } of this.#values.values()) {
      const block = grid.addBlock(spec);
      const array = block.array as Float64Array;
      from.forEach((row, at) => {
        for (let part = 0; part < spec.width; part++)
          array[at * spec.width + part] = values[row * spec.width + part]!;
      });
      block.rewritten();
    }
  }
}

/** The error for a particle that is in a frame and was not in the one before. */
export const newParticle = (id: bigint): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `particle ${id} was not there in the frame before: what follows particles needs the same ones in every frame`,
  );
