import type { BlockSpec, Dimension, Grid } from '@corpuscle/core';
import {
  type CellFunctor,
  cellFunctor,
  type FieldSchema,
  type ParamSchema,
  type ReduceFunctor,
  reduceFunctor,
  withFunctionText,
} from '@corpuscle/patterns';

/** A vector of each particle that origins keep. */
export interface KeptVector {
  readonly read: FieldSchema;
  readonly params: ParamSchema;
  /** Statements that declare x, y and z, and the function that they are. */
  readonly text: string;
  at(i: Numbers, p: Numbers): readonly number[];
  readonly dimension: Dimension;
  /** What a component and its value at an origin give; the text names both. */
  readonly productText: (now: string, then: string) => string;
  product(now: number, then: number): number;
}

type Numbers = Readonly<Record<string, number>>;

const AXES = ['x', 'y', 'z'] as const;
const PARTS = [...AXES, 'known'] as const;
/** Origins that one functor compares: a kernel of a device binds a block for each, and may bind as few as eight in all. */
const TOGETHER = 4;

/**
 * Vectors of all particles at several moments, in fields of the grid: they are sorted with the particles, on the device where these
 * are.
 *
 *   block NAME_0 [ x y z known ]   block NAME_1 [ x y z known ]   …
 *
 * `known` is 1, and 0 for particles that came after the origin.
 */
export class Origins {
  readonly blocks: readonly BlockSpec[];
  /** Sets origin k. */
  readonly set: readonly CellFunctor[];
  /** Sums of the products with all origins, some in each: x0 y0 z0 known0 x1 …, and `count`. */
  readonly compare: readonly ReduceFunctor[];

  constructor(name: string, origins: number, kept: KeptVector) {
    const { read, params, text, dimension } = kept;
    const field = (k: number, axis: string): string => `${name}_${k}_${axis}`;
    const slots = Array.from({ length: origins }, (_, k) => k);
    const fieldsOf = (k: number): FieldSchema =>
      Object.fromEntries(PARTS.map((part) => [field(k, part), 'real' as const]));
    this.blocks = slots.map((k) => ({
      name: `${name}_${k}`,
      type: 'f64',
      width: 4,
      members: PARTS.map((part) => field(k, part)),
      dimension,
    }));
    this.set = slots.map((k) => {
      const known = field(k, 'known');
      const lines = [...AXES.map((axis) => `i.${field(k, axis)} = ${axis};`), `i.${known} = 1;`];
      return cellFunctor(
        { name: `set_${name}`, fields: fieldsOf(k), read, params },
        withFunctionText(
          ((i: Record<string, number>, p: Numbers) => {
            const now = kept.at(i, p);
            AXES.forEach((axis, n) => {
              i[field(k, axis)] = now[n]!;
            });
            i[known] = 1;
          }) as never,
          `(i, p) => {\n${text}\n${lines.join('\n')}\n}`,
        ),
      );
    });
    this.compare = Array.from({ length: Math.ceil(origins / TOGETHER) }, (_, n) => {
      const some = slots.slice(n * TOGETHER, (n + 1) * TOGETHER);
      return compareFunctor(
        n === 0 ? `compare_${name}` : `compare_${name}_${n}`,
        some,
        kept,
        field,
      );
    });
  }

  /** Adds the fields to a grid. */
  addTo(grid: Grid): void {
    for (const spec of this.blocks) grid.addBlock(spec);
  }
}

/** Compares particles with themselves at some origins. @param field the name of a component at an origin */
function compareFunctor(
  name: string,
  slots: readonly number[],
  kept: KeptVector,
  field: (k: number, axis: string) => string,
): ReduceFunctor {
  const each = <T>(of: (k: number, part: (typeof PARTS)[number]) => T): T[] =>
    slots.flatMap((k) => PARTS.map((part) => of(k, part)));
  const results = each((k, part) => [`${part}${k}`, 'sum' as const]);
  const fields = each((k, part) => [field(k, part), 'real' as const]);
  const lines = each((k, part) => {
    const then = `i.${field(k, part)}`;
    return `acc.${part}${k} += ${part === 'known' ? then : kept.productText(part, then)};`;
  });
  return reduceFunctor(
    {
      name,
      result: { ...Object.fromEntries(results), count: 'sum' },
      read: { ...kept.read, ...Object.fromEntries(fields) },
      params: kept.params,
    },
    withFunctionText(
      ((acc: Record<string, number>, i: Numbers, p: Numbers) => {
        const now = kept.at(i, p);
        for (const k of slots) {
          AXES.forEach((axis, n) => {
            acc[`${axis}${k}`]! += kept.product(now[n]!, i[field(k, axis)]!);
          });
          acc[`known${k}`]! += i[field(k, 'known')]!;
        }
        acc.count! += 1;
      }) as never,
      `(acc, i, p) => {\n${kept.text}\n${lines.join('\n')}\nacc.count += 1;\n}`,
    ),
  ) as unknown as ReduceFunctor;
}
