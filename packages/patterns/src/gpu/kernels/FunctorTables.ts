import type { FunctorIR } from '@corpuscle/functor/ir';
import { fieldUse } from '@corpuscle/functor/passes';
import { splitDouble } from '@corpuscle/functor/wgsl';
import type { ParameterValues } from '../../plan/calls.js';
import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import { type DeviceReal, realType } from '../double/DeviceReals.js';

const NONE: readonly KernelBuffer[] = [];
const TABLES: readonly KernelBuffer[] = [{ name: 'tables', type: 'array<u32>', access: 'read' }];

interface Table {
  readonly name: string;
  readonly scalar: 'f32' | 'vec2f' | 'i32' | 'u32';
  /** Words of an element. */
  readonly words: 1 | 2;
}

/**
 * The parameters of a functor in WGSL: scalars are members of the uniform record, tables lie one after the other in one
 * storage buffer of words.
 *
 *   p.dt        P.p_dt, or values[P.v_dt].x where a value of the context is the parameter
 *   p.eps[k]    bitcast<f32>(tables[P.t_eps + min(k, P.n_eps − 1)])     never outside, whatever k is
 *
 * A double-single number is a vec2f in the record, and two words of a table.
 */
export class FunctorTables {
  readonly params: Readonly<Record<string, ParamType>>;
  /** What `real` is in the functor. */
  readonly real: DeviceReal;
  /** Scalars, and their names in the uniform record. */
  readonly #scalars: { readonly name: string; readonly member: string }[] = [];
  readonly #tables: Table[] = [];
  readonly #prefix: string;
  /** Scalars that come from values of the context: the record has their places. */
  readonly #fromValues = new Set<string>();

  /** @param prefix tells the parameters of several functors in one kernel apart. */
  constructor(ir: FunctorIR, prefix = '', real: DeviceReal = 'f32') {
    this.#prefix = prefix;
    this.real = real;
    const scalarOf = { real: realType(real), i32: 'i32', u32: 'u32', bool: 'u32' } as const;
    const used = fieldUse(ir).reads.get('p') ?? new Set<string>();
    const params: Record<string, ParamType> = {};
    for (const [name, { type, array, fromValue = false }] of Object.entries(ir.roles.p ?? {})) {
      if (!used.has(name)) continue;
      if (array) {
        const scalar = scalarOf[type];
        this.#tables.push({ name, scalar, words: scalar === 'vec2f' ? 2 : 1 });
        params[`${prefix}t_${name}`] = params[`${prefix}n_${name}`] = 'u32';
      } else {
        if (fromValue) this.#fromValues.add(name);
        const member = memberOf(prefix, name, fromValue);
        this.#scalars.push({ name, member });
        params[member] = fromValue ? 'u32' : scalarOf[type];
      }
    }
    this.params = params;
  }

  /** Whether the kernel needs a buffer for tables. */
  get hasTables(): boolean {
    return this.#tables.length > 0;
  }

  /** That buffer, if there are tables. */
  get buffers(): readonly KernelBuffer[] {
    return this.hasTables ? TABLES : NONE;
  }

  /** Whether the kernel needs the values of the context. */
  get usesValues(): boolean {
    return this.#fromValues.size > 0;
  }

  /** Places of the values that one call takes. */
  placesOf(given: ParameterValues): number[] {
    return [...this.#fromValues].map((name) => given[name] as number);
  }

  param(name: string): string {
    const isValue = this.#fromValues.has(name);
    const member = `P.${memberOf(this.#prefix, name, isValue)}`;
    if (!isValue) return member;
    return this.real === 'f64' ? `values[${member}]` : `values[${member}].x`;
  }

  item(name: string, index: string): string {
    const table = this.#tables.find((candidate) => candidate.name === name)!;
    const at = `P.${this.#prefix}t_${name}`;
    const last = `P.${this.#prefix}n_${name} - 1u`;
    if (table.words === 2) {
      const first = `${at} + 2u * min(${index}, ${last})`;
      return `vec2f(bitcast<f32>(tables[${first}]), bitcast<f32>(tables[${first} + 1u]))`;
    }
    const word = `tables[${at} + min(${index}, ${last})]`;
    return table.scalar === 'u32' ? word : `bitcast<${table.scalar}>(${word})`;
  }

  /** Members of the uniform record for one call. */
  values(given: ParameterValues): Record<string, number> {
    const values: Record<string, number> = {};
    this.put(given, values);
    return values;
  }

  /** Writes the members of one call to a record that may hold others. */
  put(given: ParameterValues, values: Record<string, number | readonly number[]>): void {
    for (const { name, member } of this.#scalars) {
      const value = given[name]!;
      values[member] = typeof value === 'number' ? value : value[0]!;
    }
    let offset = 0;
    for (const { name, words } of this.#tables) {
      const { length } = given[name] as ArrayLike<number>;
      values[`${this.#prefix}t_${name}`] = offset;
      values[`${this.#prefix}n_${name}`] = length;
      offset += words * length;
    }
  }

  /** What the buffer of tables holds for one call. */
  words(given: ParameterValues): Uint32Array<ArrayBuffer> {
    const all = this.#tables.map(({ name }) => given[name] as ArrayLike<number>);
    const length = this.#tables.reduce((sum, { words }, k) => sum + words * all[k]!.length, 0);
    const words = new Uint32Array(length);
    const reals = new Float32Array(words.buffer);
    let offset = 0;
    this.#tables.forEach(({ scalar, words: each }, k) => {
      const target = scalar === 'f32' ? reals : words;
      const table = all[k]!;
      for (let n = 0; n < table.length; n++) {
        if (each === 2) reals.set(splitDouble(table[n]!), offset + 2 * n);
        else target[offset + n] = table[n]!;
      }
      offset += each * table.length;
    });
    return words;
  }
}

const memberOf = (prefix: string, name: string, isValue: boolean): string =>
  `${prefix}${isValue ? 'v' : 'p'}_${name}`;
