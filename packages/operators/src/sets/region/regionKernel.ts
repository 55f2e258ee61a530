import type { ParamSchema } from '@corpuscle/patterns';
import { type Point, quadricTerms, type Region } from './Region.js';

/** A region as text of a functor. */
export interface RegionKernel {
  /** Statements before the condition. */
  readonly before: string;
  /** True inside. */
  readonly condition: string;
  /** Fields it reads; ids, types and groups are integers. */
  readonly read: Readonly<Record<string, 'real' | 'u32'>>;
  readonly params: ParamSchema;
  readonly values: Readonly<Record<string, number | readonly number[]>>;
  /** Whether it asks where particles are: then `in_rx`, `in_ry` and `in_rz` are to be made before. */
  readonly isPlaced: boolean;
}

/** Writes a region as the text of a functor over particles `i` with parameters `p`: numbers travel as parameters. */
export function regionKernel(region: Region): RegionKernel {
  const writer = new Writer();
  const condition = writer.condition(region);
  const { before, read, params, values, isPlaced } = writer;
  return { before: before.join('\n'), condition, read, params, values, isPlaced };
}

const PLACES: readonly string[] = ['rx', 'ry', 'rz'];

class Writer {
  readonly before: string[] = [];
  readonly read: Record<string, 'real' | 'u32'> = {};
  readonly params: Record<string, 'real' | 'u32' | 'u32[]'> = {};
  readonly values: Record<string, number | readonly number[]> = {};
  #names = 0;

  condition(region: Region): string {
    switch (region.kind) {
      case 'interval':
        return this.#interval(region);
      case 'sphere': {
        const [x, y, z] = this.#from(region.center);
        const r2 = this.#real(region.radius * region.radius);
        return `(${x} * ${x} + ${y} * ${y} + ${z} * ${z} <= ${r2})`;
      }
      case 'cone':
        return this.#cone(region);
      case 'plane': {
        const [x, y, z] = this.#from(region.point);
        const [nx, ny, nz] = region.normal.map((n) => this.#real(n));
        return `(${x} * ${nx} + ${y} * ${ny} + ${z} * ${nz} >= 0)`;
      }
      case 'quadric':
        return this.#quadric(region.terms);
      case 'types':
        return this.#any(
          region.types.map((type) => `${this.#u32('type')} === ${this.#whole(type)}`),
        );
      case 'ids':
        return this.#ids(region.ids);
      case 'idSpan': {
        const { first, last, stride } = region.span;
        const id = this.#u32('id');
        const begin = this.#whole(first);
        return `(${id} >= ${begin} && ${id} <= ${this.#whole(last)} && (${id} - ${begin}) % ${this.#whole(stride)} === 0)`;
      }
      case 'group':
        return `((${this.#u32('group_mask')} & ${this.#whole(region.bits)}) !== 0)`;
      case 'union':
        return this.#any(region.of.map((part) => this.condition(part)));
      case 'intersection':
        return `(${region.of.map((part) => this.condition(part)).join(' && ')})`;
      case 'complement':
        return `!${this.condition(region.of)}`;
    }
  }

  #interval({ field, min, max }: Extract<Region, { kind: 'interval' }>): string {
    // Bounds of integers are compared as reals.
    const value =
      field === 'id' || field === 'type' ? `(0.0 + ${this.#u32(field)})` : this.#field(field);
    const bounds = [
      ...(min === Number.NEGATIVE_INFINITY ? [] : [`${value} >= ${this.#real(min)}`]),
      ...(max === Number.POSITIVE_INFINITY ? [] : [`${value} <= ${this.#real(max)}`]),
    ];
    return bounds.length === 0 ? '(0 < 1)' : `(${bounds.join(' && ')})`;
  }

  #cone({ from, direction, length, radius, slope }: Extract<Region, { kind: 'cone' }>): string {
    const [x, y, z] = this.#from(from);
    const [ex, ey, ez] = direction.map((e) => this.#real(e));
    const t = this.#local(`${x} * ${ex} + ${y} * ${ey} + ${z} * ${ez}`);
    const r = this.#local(`${this.#real(radius)} + ${this.#real(slope)} * ${t}`);
    const away = this.#local(`${x} * ${x} + ${y} * ${y} + ${z} * ${z} - ${t} * ${t}`);
    const ends =
      length === Number.POSITIVE_INFINITY ? '' : `${t} >= 0 && ${t} <= ${this.#real(length)} && `;
    return `(${ends}${away} <= ${r} * ${r})`;
  }

  #quadric(terms: Extract<Region, { kind: 'quadric' }>['terms']): string {
    const [x, y, z] = (['rx', 'ry', 'rz'] as const).map((name) => this.#field(name));
    const factors = [[x, x], [y, y], [z, z], [x, y], [x, z], [y, z], [x], [y], [z], []];
    const sum = quadricTerms.map((term, k) =>
      [this.#real(terms[term] ?? 0), ...factors[k]!].join(' * '),
    );
    return `(${sum.join(' + ')} <= 0)`;
  }

  /** A binary search in the sorted list. */
  #ids(ids: readonly number[]): string {
    const name = `n${this.#names++}`;
    this.params[name] = 'u32[]';
    // A table of one number would be a scalar.
    this.values[name] = ids.length === 1 ? [ids[0]!, ids[0]!] : ids;
    const id = this.#u32('id');
    const [low, high, middle] = [`low_${name}`, `high_${name}`, `middle_${name}`];
    const count = this.#whole(ids.length);
    this.before.push(
      `let ${low} = u32(0); let ${high} = ${count};`,
      `while (${low} < ${high}) {`,
      `  const ${middle} = (${low} + ${high}) >>> 1;`,
      `  if (p.${name}[${middle}] < ${id}) ${low} = ${middle} + u32(1); else ${high} = ${middle};`,
      '}',
    );
    return `(${low} < ${count} && p.${name}[${low}] === ${id})`;
  }

  #any(conditions: readonly string[]): string {
    return `(${conditions.join(' || ')})`;
  }

  #from(at: Point): string[] {
    const fields = ['rx', 'ry', 'rz'].map((name) => this.#field(name));
    return fields.map((field, k) => this.#local(`${field} - ${this.#real(at[k]!)}`));
  }

  #local(value: string): string {
    const name = `v${this.#names++}`;
    this.before.push(`const ${name} = ${value};`);
    return name;
  }

  #field(name: string): string {
    if (PLACES.includes(name)) {
      for (const place of PLACES) this.read[place] = 'real';
      return `in_${name}`;
    }
    this.read[name] = 'real';
    return `i.${name}`;
  }

  get isPlaced(): boolean {
    return 'rx' in this.read;
  }

  #u32(name: string): string {
    this.read[name] = 'u32';
    return `i.${name}`;
  }

  #real(value: number): string {
    return this.#param('real', value);
  }

  #whole(value: number): string {
    return this.#param('u32', value);
  }

  #param(type: 'real' | 'u32', value: number): string {
    const name = `n${this.#names++}`;
    this.params[name] = type;
    this.values[name] = value;
    return `p.${name}`;
  }
}
