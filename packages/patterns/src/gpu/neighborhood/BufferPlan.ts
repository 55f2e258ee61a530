import type { ValueType } from '@corpuscle/functor/ir';
import { fieldUse } from '@corpuscle/functor/passes';
import { type WgslEnv, type WgslField, wgslMember } from '@corpuscle/functor/wgsl';
import { realText, realType, updateText } from '../double/DeviceReals.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { componentOf } from './displaced.js';
import type { KernelRequest } from './KernelRequest.js';
import type { Scattered } from './scatter.js';

const GEOMETRY = { dx: 'x', dy: 'y', dz: 'z', r2: 'r2' } as const;

/**
 * The arrays that a particle's neighbors are packed into, element k for neighbor k.
 *
 *   n_row   n_dx n_dy n_dz n_r2   n_weight   n_type …   values of the functor's own   what neighbors receive
 */
export class BufferPlan {
  /** Fields of neighbors that are packed. */
  readonly packed: readonly WgslField[];
  /** What neighbors receive, and which of that goes to particles. */
  readonly scattered: readonly Scattered[];
  readonly stored: readonly Scattered[];
  readonly #request: KernelRequest;
  readonly #arrays: readonly string[];
  readonly #isShared: boolean;

  /** @param isShared lanes share the arrays: what neighbors receive goes to its accumulator at once, in no array. */
  constructor(request: KernelRequest, isShared: boolean) {
    const { functor, ir, visit, outputs } = request;
    this.#request = request;
    this.#isShared = isShared;
    // Attributes of a pair's neighbor are packed like those of a neighborhood.
    const role = visit === 'whole' ? 'n' : 'j';
    const fields = ir.roles[role] ?? {};
    const use = fieldUse(ir);
    const touched = (field: string) =>
      (use.reads.get(role)?.has(field) || use.writes.get(role)?.has(field)) ?? false;
    const { spec } = functor;
    const attributes =
      spec.kind === 'neighborhood' || spec.kind === 'pair' ? Object.keys(spec.neighbor) : [];
    this.packed = attributes.filter(touched).map((field) => ({
      field,
      member: wgslMember(field),
      type: this.#scalar(fields[field]!.type),
      written: false,
    }));
    this.scattered = Object.keys(fields)
      .filter((field) => fields[field]!.collects && touched(field))
      .map((field) => ({
        field,
        type: this.#scalar(fields[field]!.type),
        array: arrayOf(field),
      }));
    this.stored = this.scattered.filter(({ field }) => outputs[field] !== 'total');
    const all = Object.keys(fields).filter((field) => fields[field]!.array || role === 'j');
    this.#arrays = [...new Set([...Object.keys(GEOMETRY), ...all])].filter((field) => {
      if (fields[field]?.collects) return !isShared && touched(field);
      return touched(field) || (visit === 'packed' && field in GEOMETRY);
    });
  }

  /** How the functor reaches elements: reads are clamped, writes outside are left out. */
  get env(): WgslEnv {
    const { tables, capacity } = this.#request;
    return {
      param: (field) => tables.param(field),
      item: (role, field, index) =>
        role === 'p'
          ? tables.item(field, index)
          : `${arrayOf(field)}[min(${index}, ${capacity - 1}u)]`,
      writeItem: (_role, field, index, op, value) =>
        `{ let at_ = ${index}; let value_ = ${value}; if (at_ < ${capacity}u) { ${this.#write(field, op)} } }`,
    };
  }

  declarations(space: 'private' | 'workgroup'): string {
    const { capacity } = this.#request;
    const arrays = this.#arrays.map(
      (field) => `var<${space}> ${arrayOf(field)}: array<${this.#typeOf(field)}, ${capacity}>;\n`,
    );
    return `var<${space}> n_row: array<u32, ${capacity}>;\n${arrays.join('')}`;
  }

  /** Bytes of the arrays. */
  get bytes(): number {
    const wide = this.#arrays.filter((field) => this.#typeOf(field) === 'vec2f').length;
    return 4 * this.#request.capacity * (1 + this.#arrays.length + wide);
  }

  /** Statements that pack neighbor `row`, `d` away and of weight `weight`, as element `at`. */
  putText(access: ParticleAccess, at: string): string {
    const { pair } = this.#request.reals;
    const rows = access.loadRows(this.packed, 'other', 'row');
    const values = new Map<string, string>(
      Object.entries(GEOMETRY).map(([field, of]) => [field, componentOf(pair, of)]),
    );
    values.set('weight', 'weight');
    for (const field of this.packed) values.set(field.field, access.value(field, 'other'));
    for (const { field, type } of this.scattered)
      values.set(field, type === 'vec2f' ? realText(type).zero : `${type}(0)`);
    const puts = this.#arrays
      .filter((field) => values.has(field))
      .map((field) => `${arrayOf(field)}[${at}] = ${values.get(field)};`);
    return [rows, `n_row[${at}] = row;`, ...puts].join('\n  ');
  }

  #write(field: string, op: '=' | '+=' | '-='): string {
    const isShare = this.#isShared && this.scattered.some((each) => each.field === field);
    if (isShare) return `share_${wgslMember(field)}(at_, ${op === '-=' ? '-' : ''}value_);`;
    return updateText(this.#typeOf(field), `${arrayOf(field)}[at_]`, op, 'value_');
  }

  #typeOf(field: string): Scattered['type'] {
    const { ir, visit } = this.#request;
    const fields = ir.roles[visit === 'whole' ? 'n' : 'j'] ?? {};
    return this.#scalar(fields[field]?.type ?? 'real');
  }

  #scalar(type: ValueType): Scattered['type'] {
    return type === 'real' ? realType(this.#request.reals.pair) : (type as 'i32' | 'u32');
  }
}

export const arrayOf = (field: string): string => `n_${wgslMember(field)}`;
