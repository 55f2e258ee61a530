import { CorpuscleError, type FieldBlock, type Grid } from '@corpuscle/core';
import type { WgslField } from '../../lower/wgsl/WgslEnv.js';
import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import { type DeviceType, deviceType } from '../residency/DeviceBlock.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { frameParams, frameValues } from '../wgsl/frameWgsl.js';

const COMPONENTS = ['x', 'y', 'z', 'w'] as const;

/** A block's name as part of an identifier. */
const safe = (name: string): string =>
  name.replace(/[^A-Za-z0-9]/g, (character) => `_${character.codePointAt(0)!.toString(16)}_`);

interface Place {
  readonly block: FieldBlock;
  readonly type: DeviceType;
  readonly component: 0 | 1 | 2 | 3;
  readonly isPosition: boolean;
}

/**
 * How a kernel reaches the particles' fields: one storage binding for each block, rows loaded and stored whole.
 *
 *   var row_velocity = b_velocity[index];   i.vx_ = row_velocity.x;   …   row_velocity.x = i.vx_;   b_velocity[index] = row_velocity;
 *
 * Positions are Cartesian for the functor. What it adds to them goes to the relative vector, so that `i.rx += dt · i.vx`
 * loses nothing when the box is large.
 */
export class ParticleAccess {
  readonly #grid: Grid;
  readonly #blocks = new Map<string, { place: Place; written: boolean }>();
  #absolute = false;

  constructor(grid: Grid) {
    this.#grid = grid;
  }

  /** True when Cartesian positions are needed, and with them `centre` and the frame in the uniform record. */
  get usesFrame(): boolean {
    return this.#absolute;
  }

  /** The bindings in use so far. */
  get buffers(): KernelBuffer[] {
    return [...this.#blocks].map(([name, { place, written }]) => ({
      name: `b_${safe(name)}`,
      type: `array<${place.type.row}>`,
      access: written ? 'read_write' : 'read',
    }));
  }

  get params(): Record<string, ParamType> {
    return this.#absolute ? { ...frameParams, centre: 'vec4f' } : {};
  }

  static frameValues(frame: PositionFrame): Record<string, readonly number[]> {
    return { ...frameValues(frame), centre: [...frame.centre, 0] };
  }

  /** Names of the blocks, in the order of the bindings, and whether they are written. */
  get blocks(): { name: string; written: boolean }[] {
    return [...this.#blocks].map(([name, { written }]) => ({ name, written }));
  }

  /** Declares a block used without any field being named, e.g. positions in a pair kernel. */
  use(name: string, written = false): void {
    const block = this.#grid.block(name);
    const isPosition = name === 'position';
    const present = this.#blocks.get(name);
    const place = { block, type: deviceType(block, isPosition), component: 0 as const, isPosition };
    this.#blocks.set(name, { place, written: written || (present?.written ?? false) });
  }

  /** Statements that load the rows of `fields` at `index` into local variables `<prefix>_<block>`. */
  loadRows(fields: readonly WgslField[], prefix: string, index: string): string {
    const names = new Set(fields.map(({ field }) => this.#grid.field(field).block));
    for (const { field, written } of fields) this.use(this.#grid.field(field).block, written);
    return [...names]
      .map((name) => `var ${prefix}_${safe(name)} = b_${safe(name)}[${index}];`)
      .join('\n    ');
  }

  /** The value of a field from a loaded row. */
  value(field: WgslField, prefix: string): string {
    const place = this.#place(field);
    const row = `${prefix}_${safe(place.block.spec.name)}`;
    if (place.isPosition) {
      this.#absolute = true;
      return `absolute(${row}).${COMPONENTS[place.component]}`;
    }
    const stored = place.type.words === 1 ? row : `${row}.${COMPONENTS[place.component]}`;
    return convert(stored, place.type.scalar, field.type);
  }

  /** Whether a field belongs to the positions. */
  isPosition(field: WgslField): boolean {
    return this.#place(field).isPosition;
  }

  /** A statement that puts a value into a loaded row. */
  put(field: WgslField, prefix: string, value: string): string {
    const place = this.#place(field);
    const row = `${prefix}_${safe(place.block.spec.name)}`;
    const converted = convert(value, field.type, place.type.scalar);
    if (place.type.words === 2) return `${row} = vec2u(${converted}, 0u);`;
    if (place.type.words === 1) return `${row} = ${converted};`;
    return `${row}.${COMPONENTS[place.component]} = ${converted};`;
  }

  /** A statement that adds to a coordinate's relative vector. */
  move(field: WgslField, prefix: string, distance: string): string {
    const { component } = this.#place(field);
    const at = `${prefix}_position.${COMPONENTS[component]}`;
    return `${at} = bitcast<u32>(bitcast<f32>(${at}) + (${distance}));`;
  }

  /** Statements that store the rows of the written fields. */
  storeRows(fields: readonly WgslField[], prefix: string, index: string): string {
    const written = fields.filter((field) => field.written);
    const names = new Set(written.map(({ field }) => this.#grid.field(field).block));
    return [...names]
      .map((name) => `b_${safe(name)}[${index}] = ${prefix}_${safe(name)};`)
      .join('\n    ');
  }

  #place({ field, type }: WgslField): Place {
    const ref = this.#grid.field(field);
    const block = this.#grid.block(ref.block);
    const isPosition = ref.block === 'position';
    const place = {
      block,
      type: deviceType(block, isPosition),
      component: ref.component as 0 | 1 | 2 | 3,
      isPosition,
    };
    const isReal = isPosition || place.type.scalar === 'f32';
    if (isReal !== (type === 'f32')) {
      throw new CorpuscleError(
        'WRONG_TYPE',
        `field '${field}' is declared as ${type === 'f32' ? 'real' : type}, but the grid stores it as ${block.spec.type}: declare it accordingly`,
      );
    }
    return place;
  }
}

/** The device buffers of the blocks a kernel uses, in the order of its bindings. */
export function particleBuffers(
  grid: Grid,
  residency: Residency,
  blocks: readonly { name: string; written?: boolean }[],
): { buffers: GPUBuffer[]; written(): void } {
  const buffers = blocks.map(({ name }) =>
    name === 'position'
      ? residency.ensurePositions(grid).buffer
      : residency.ensure(grid.block(name), grid.count).buffer,
  );
  return {
    buffers,
    written: () => {
      for (const { name, written } of blocks) if (written) residency.written(grid.block(name));
    },
  };
}

/** Cartesian position of a row; needs `relative`, `unpackCell` and `cellVector`. */
export const absoluteWgsl = `
fn absolute(row: vec4u) -> vec3f {
  return relative(row) + (cellVector(unpackCell(row.w)) + P.centre.xyz);
}
`;

function convert(value: string, from: string, to: string): string {
  if (from === to) return value;
  return `bitcast<${to}>(${value})`;
}

/** What of a grid's layout the text of a kernel depends on. */
export function layoutKey(grid: Grid, fields: Iterable<string>): string {
  let key = '';
  for (const name of fields) {
    if (!grid.hasField(name)) continue;
    const { block, component } = grid.field(name);
    const { type, width } = grid.block(block).spec;
    key += `;${name}=${block}.${component}/${width}${type}`;
  }
  return key;
}
