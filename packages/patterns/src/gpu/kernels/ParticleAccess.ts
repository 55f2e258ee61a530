import type { FieldBlock, Grid } from '@corpuscle/core';
import type { WgslField } from '@corpuscle/functor/wgsl';
import { wrongFieldType } from '../../plan/refusals.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import { type DeviceReal, realText, realType } from '../double/DeviceReals.js';
import { absoluteDouble } from '../double/positionWgsl.js';
import { type DeviceType, deviceType } from '../residency/DeviceBlock.js';
import { frameLowParams, frameParams } from '../wgsl/frameWgsl.js';
import { blockOf, isNext, LOW, NOTHING, nextOf } from './usedBlocks.js';

const COMPONENTS = ['x', 'y', 'z', 'w'] as const;

/** The binding of the low parts of positions. */
export const LOW_POSITIONS = 'b_position_2e_low';

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
 *
 * Where the state is double-single, rows have high and low parts, and a functor in f32 sees the high ones.
 */
export class ParticleAccess {
  readonly #grid: Grid;
  readonly #blocks = new Map<string, { row: string; written: boolean }>();
  /** What `real` is in blocks. */
  readonly state: DeviceReal;
  /** Of the box; kernels that have it declare `strainText`. */
  readonly strain: DeviceStrain | undefined;
  #absolute = false;
  #apart = NOTHING;

  constructor(grid: Grid, state: DeviceReal = 'f32', strain?: DeviceStrain) {
    this.#grid = grid;
    this.state = state;
    this.strain = strain;
  }

  /** True when Cartesian positions are needed, and with them `center` and the frame in the uniform record. */
  get usesFrame(): boolean {
    return this.#absolute;
  }

  /** The bindings in use so far. */
  get buffers(): KernelBuffer[] {
    return [...this.#blocks].map(([name, { row, written }]) => ({
      name: `b_${safe(name)}`,
      type: `array<${row}>`,
      access: written ? 'read_write' : 'read',
      holds: this.#holds(name),
    }));
  }

  #holds(name: string): string {
    if (isNext(name)) return afterStep(blockOf(name));
    if (name === LOW) return 'what floats leave out of positions';
    const { members } = this.#grid.block(name).spec;
    const fields = members.filter((member) => member !== null).join(' ');
    return name === 'position' ? `${fields}, relative to the cell; packed cell` : fields;
  }

  get params(): Record<string, ParamType> {
    if (!this.#absolute) return {};
    const low = this.state === 'f64' ? frameLowParams : {};
    return { ...frameParams, center: 'vec4f', ...low };
  }

  /** Functions that `value` calls; they need `relative`, `unpackCell` and `cellVector`. */
  get declarations(): string {
    if (!this.#absolute) return '';
    const isStrained = this.strain !== undefined;
    return this.state === 'f64' ? absoluteDouble(isStrained) : absoluteWgsl(isStrained);
  }

  /** Names of the blocks that hold some fields. */
  blocksOf(fields: readonly WgslField[]): ReadonlySet<string> {
    return new Set(fields.map(({ field }) => this.#grid.field(field).block));
  }

  /** Names of the blocks, in the order of the bindings, and whether they are written. */
  get blocks(): { name: string; written: boolean }[] {
    return [...this.#blocks].map(([name, { written }]) => ({ name, written }));
  }

  /** From now on these blocks are written to their second buffers, because the present rows are still wanted. Only in f32. */
  moveApart(names: ReadonlySet<string>): void {
    this.#apart = names;
  }

  /** Declares a block used without any field being named, e.g. positions in a pair kernel. */
  use(name: string, written = false): void {
    const block = this.#grid.block(name);
    const isPosition = name === 'position';
    const { row } = deviceType(block, isPosition, this.state);
    const isApart = written && this.#apart.has(name);
    const isWritten = (written && !isApart) || this.#blocks.get(name)?.written === true;
    this.#blocks.set(name, { row, written: isWritten });
    if (isApart) this.#blocks.set(nextOf(name), { row, written });
    if (isPosition && this.state === 'f64')
      this.#blocks.set(LOW, { row: 'vec4f', written: isWritten });
  }

  /**
   * Statements that load the rows of `fields` at `index` into local variables `<prefix>_<block>`; rows of `zero` blocks are
   * zero without being looked at, those of `held` ones are in variables `out_<block>` already.
   */
  loadRows(...rows: Parameters<ParticleAccess['rowLoads']>): string {
    return this.rowLoads(...rows).join('\n    ');
  }

  /** The same one by one. */
  rowLoads(
    fields: readonly WgslField[],
    prefix: string,
    index: string,
    zero: ReadonlySet<string> = NOTHING,
    held: ReadonlySet<string> = NOTHING,
  ): string[] {
    const names = this.blocksOf(fields);
    for (const { field, written } of fields) this.use(this.#grid.field(field).block, written);
    return this.#parts(names).map((name) => {
      const row = `var ${prefix}_${safe(name)}`;
      if (zero.has(name)) return `${row} = ${this.#blocks.get(name)!.row}();`;
      return `${row} = ${held.has(name) ? `out_${safe(name)}` : `b_${safe(name)}[${index}]`};`;
    });
  }

  /** The value of a field from a loaded row. */
  value(field: WgslField, prefix: string): string {
    const place = this.#place(field);
    const row = `${prefix}_${safe(place.block.spec.name)}`;
    const component = COMPONENTS[place.component];
    if (place.isPosition) {
      this.#absolute = true;
      if (this.state === 'f32') return `absolute(${row}).${component}`;
      return convert(`absolute_${component}(${row}, ${prefix}_${safe(LOW)})`, 'vec2f', field.type);
    }
    if (place.type.words === 8) {
      if (field.type === 'f32') return `${row}[0].${component}`;
      return `vec2f(${row}[0].${component}, ${row}[1].${component})`;
    }
    const stored = place.type.words === 4 || isWide(place) ? `${row}.${component}` : row;
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
    const component = COMPONENTS[place.component];
    if (isWide(place)) return `${row} = vec2u(${converted}, 0u);`;
    if (place.type.words <= 2) return `${row} = ${converted};`;
    if (place.type.words === 4) return `${row}.${component} = ${converted};`;
    return `{ let put = ${converted}; ${row}[0].${component} = put.x; ${row}[1].${component} = put.y; }`;
  }

  /** A statement that adds to a number in a loaded row; all that is stored takes part. */
  add(field: WgslField, prefix: string, value: string): string {
    const { type } = this.#place(field);
    if (type.scalar !== 'vec2f' && field.type !== 'vec2f')
      return this.put(field, prefix, `${this.value(field, prefix)} + ${value}`);
    const real: WgslField = { ...field, type: 'vec2f' };
    const added = field.type === 'vec2f' ? 'ds_add' : 'ds_add_f32';
    return this.put(real, prefix, `${added}(${this.value(real, prefix)}, ${value})`);
  }

  /** A statement that adds to a coordinate's relative vector. */
  move(field: WgslField, prefix: string, distance: string): string {
    const component = COMPONENTS[this.#place(field).component];
    const at = `${prefix}_position.${component}`;
    if (this.state === 'f64') {
      return moveLow(at, `${prefix}_${safe(LOW)}.${component}`, distance);
    }
    return `${at} = bitcast<u32>(bitcast<f32>(${at}) + (${distance}));`;
  }

  /** A statement that adds to coordinates where the box is strained. @param distances by component */
  moveStrained(prefix: string, distances: Readonly<Record<string, string>>): string {
    const row = `${prefix}_position`;
    const [x, y, z] = ['x', 'y', 'z'].map(
      (name) => distances[name] ?? realText(realType(this.state)).zero,
    );
    if (this.state === 'f64') {
      const moves = ['x', 'y', 'z'].map((name, k) =>
        moveLow(`${row}.${name}`, `${prefix}_${safe(LOW)}.${name}`, `moved[${k}]`),
      );
      return `{ let moved = unstrainedReals(${x}, ${y}, ${z}); ${moves.join(' ')} }`;
    }
    return `{ let moved = bitcast<vec3f>(${row}.xyz) + unstrained(vec3f(${x}, ${y}, ${z})); ${row} = vec4u(bitcast<vec3u>(moved), ${row}.w); }`;
  }

  /** The component of a row that a field is. */
  componentOf(field: WgslField): string {
    return COMPONENTS[this.#place(field).component];
  }

  /** Statements that store the rows of the written fields. */
  storeRows(fields: readonly WgslField[], prefix: string, index: string): string {
    const written = fields.filter((field) => field.written);
    const names = this.blocksOf(written);
    return this.#parts(names)
      .map((name) => `b_${safe(this.#targetOf(name))}[${index}] = ${prefix}_${safe(name)};`)
      .join('\n    ');
  }

  #targetOf(name: string): string {
    return this.#apart.has(name) ? nextOf(name) : name;
  }

  /** Blocks and, after positions, their low parts. */
  #parts(names: Iterable<string>): string[] {
    const low = this.state === 'f64';
    return [...names].flatMap((name) => (low && name === 'position' ? [name, LOW] : [name]));
  }

  #place({ field, type }: WgslField): Place {
    const ref = this.#grid.field(field);
    const block = this.#grid.block(ref.block);
    const isPosition = ref.block === 'position';
    const place = {
      block,
      type: deviceType(block, isPosition, this.state),
      component: ref.component as 0 | 1 | 2 | 3,
      isPosition,
    };
    const isReal = isPosition || block.spec.type === 'f64' || place.type.scalar === 'f32';
    const wantsReal = type === 'f32' || type === 'vec2f';
    if (isReal !== wantsReal) {
      throw wrongFieldType(field, wantsReal ? 'real' : type, block.spec.type);
    }
    return place;
  }
}

const afterStep = (block: string): string =>
  block === 'position'
    ? 'positions after the step: others still read those before'
    : `${block} after the step`;

/** Cartesian position of a row; needs `relative`, `unpackCell` and `cellVector`. */
const absoluteWgsl = (isStrained: boolean): string => `
// Cartesian position of a row.
fn absolute(row: vec4u) -> vec3f {
  ${isStrained ? 'return strainedPoint(relative(row) + (cellVector(unpackCell(row.w)) + P.center.xyz));' : 'return relative(row) + (cellVector(unpackCell(row.w)) + P.center.xyz);'}
}
`;

/** A statement that adds to a coordinate in two parts. */
const moveLow = (high: string, low: string, distance: string): string =>
  `{ let sum = ds_add(vec2f(bitcast<f32>(${high}), ${low}), ${distance}); ${high} = bitcast<u32>(sum.x); ${low} = sum.y; }`;

/** Ids: two words, of which functors see the low one. */
const isWide = ({ type, block }: Place): boolean => block.spec.type === 'u64' && type.words === 2;

function convert(value: string, from: string, to: string): string {
  if (from === to) return value;
  if (from === 'vec2f') return `${value}.x`;
  if (to === 'vec2f') return `vec2f(${value}, 0.0)`;
  return `bitcast<${to}>(${value})`;
}

/** Which values kernels read the strain of the box from. */
export function strainKey(grid: Grid): string {
  const strain = strainOf(grid);
  return strain ? `strain${strain.place}${strain.isSheared ? ' sheared' : ''}` : '';
}

/** What of a grid's layout the text of a kernel depends on. */
export function layoutKey(grid: Grid, fields: Iterable<string>): string {
  let key = strainKey(grid);
  for (const name of fields) {
    if (!grid.hasField(name)) continue;
    const { block, component } = grid.field(name);
    const { type, width } = grid.block(block).spec;
    key += `;${name}=${block}.${component}/${width}${type}`;
  }
  return key;
}
