import type { Grid } from '@corpuscle/core';
import type { ExecutionContext } from '@corpuscle/patterns';
import { createGrid, fillGrid, type TypeProperties } from '../../system/createGrid.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/**
 * The grid of frames that are drawn one after the other.
 *
 * @example
 * const frames = new FrameGrid(ctx);
 * const view = createView({ context: ctx, grid: frames.of(frame) });
 */
export class FrameGrid {
  readonly #ctx: ExecutionContext;
  readonly #types: TypeProperties[] = [];
  #grid: Grid | null = null;

  /** @param ctx its heap holds the particles */
  constructor(ctx: ExecutionContext) {
    this.#ctx = ctx;
  }

  /**
   * The particles of a frame, inside their box, with fields for all numbers that the frame has: `speed`, and columns of the file
   * by their names, those of vectors as `name_x`, `name_y` and `name_z`.
   */
  of(frame: ParticleFrame): Grid {
    for (const name of frame.species)
      if (!this.#types.some((type) => type.name === name)) this.#types.push({ name, mass: 1 });
    if (this.#grid) fillGrid(this.#grid, frame, this.#types);
    else this.#grid = createGrid(frame, this.#types, this.#ctx.heap);
    const grid = this.#grid;
    wrap(grid);
    const { velocity: v, force, energy, count } = frame;
    if (v) put(grid, 'speed', (k) => Math.hypot(v[3 * k]!, v[3 * k + 1]!, v[3 * k + 2]!));
    for (const [axis, name] of ['fx', 'fy', 'fz'].entries())
      if (force) put(grid, name, (k) => force[3 * k + axis]!);
    if (energy) put(grid, 'ep', (k) => energy[k]!);
    for (const [name, { width, values }] of frame.extra) {
      if (!(values instanceof Float64Array) || values.length !== width * count) continue;
      for (let part = 0; part < width; part++) {
        const field = width === 1 ? name : `${name}_${width === 3 ? 'xyz'[part] : part}`;
        put(grid, field, (k) => values[width * k + part]!);
      }
    }
    return grid;
  }

  /** Names of the types in turn. */
  get types(): readonly string[] {
    return this.#types.map(({ name }) => name);
  }
}

function put(grid: Grid, name: string, value: (k: number) => number): void {
  if (!grid.hasField(name)) grid.addBlock({ name, type: 'f64', width: 1, members: [name] });
  grid.setValues(
    name,
    Float64Array.from({ length: grid.count }, (_, k) => value(k)),
  );
}

/** Brings particles back into the box along its periodic vectors. */
function wrap(grid: Grid): void {
  const { domain, count } = grid;
  if (!domain.periodic.some(Boolean)) return;
  const block = grid.block('position');
  const rows = block.array as Float64Array;
  for (let row = 0; row < count; row++) {
    const s = domain.toFractional(rows[4 * row]!, rows[4 * row + 1]!, rows[4 * row + 2]!);
    for (let k = 0; k < 3; k++) {
      const boxes = domain.periodic[k] ? Math.floor(s[k]!) : 0;
      for (let axis = 0; axis < 3; axis++)
        rows[4 * row + axis]! -= boxes * domain.matrix[3 * k + axis]!;
    }
  }
  block.hostWritten();
}
