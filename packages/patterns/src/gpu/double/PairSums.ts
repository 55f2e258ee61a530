import type { FunctorIR } from '@corpuscle/functor/ir';
import { sumOutputs } from '@corpuscle/functor/passes';
import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import { updateText } from './DeviceReals.js';

/** Where the outputs of a pair functor are kept while its neighbors are walked. */
export interface PairSums {
  readonly declarations: string;
  /** Statements after a call of the functor with `i`, a pointer. */
  readonly afterCall: string;
  /** Statements after the last call: sums become reals. */
  readonly afterAll: string;
  /** The variable that holds the outputs, and its type; threads that share a particle add up theirs. */
  readonly variable: string;
  readonly type: string;
  /** A field as the variable holds it. */
  stored(field: WgslField): WgslField;
}

/** The functor's own struct. */
export const plainSums = ({ name }: LoweredWgsl): PairSums => ({
  declarations: '',
  afterCall: '',
  afterAll: '',
  variable: 'i',
  type: `${name}_i`,
  stored: (field) => field,
});

/** Real outputs of a functor that it does no more than add to. */
export const realSums = (ir: FunctorIR): ReadonlySet<string> =>
  new Set(
    [...sumOutputs(ir)]
      .filter(([field, kind]) => kind === 'sum' && ir.roles.i?.[field]?.type === 'real')
      .map(([field]) => field),
  );

/** The functor's own struct, whose sums collect errors in their low parts (`WgslEnv.gathered`). */
export const settledSums = (lowered: LoweredWgsl, gathered: ReadonlySet<string>): PairSums => ({
  ...plainSums(lowered),
  afterAll: lowered.fields.i
    .filter(({ field }) => gathered.has(field))
    .map(({ member }) => `i.${member} = ds_settled(i.${member});`)
    .join(' '),
});

/** `gathered(sum, x)`: a float added to a double-single sum, whose low part collects the errors. */
export const gatheredWgsl = `
fn gathered(sum: vec2f, x: f32) -> vec2f {
  let s = ds_sum(sum.x, x);
  return vec2f(s.x, sum.y + s.y);
}`;

/**
 * Sums in double-single of what a functor in f32 gives for each pair: its outputs are taken away after every call. Forces
 * that cancel pair by pair then cancel in the total too, so that momentum stays.
 */
export function gatheredSums({ name, fields }: LoweredWgsl): PairSums {
  const stored = (field: WgslField): WgslField =>
    field.type === 'f32' ? { ...field, type: 'vec2f' } : field;
  const written = fields.i.filter((field) => field.written);
  const members = written.map((field) => `${field.member}: ${stored(field).type}`);
  const each = written.map(({ member, type }) => {
    const add =
      type === 'f32'
        ? `sums.${member} = gathered(sums.${member}, (*i).${member});`
        : updateText(type, `sums.${member}`, '+=', `(*i).${member}`);
    return `${add} (*i).${member} = ${type}(0);`;
  });
  return {
    declarations: `
struct ${name}_sums { ${members.join(', ')} }
var<private> sums: ${name}_sums;${gatheredWgsl}`,
    afterCall: each.join('\n  '),
    afterAll: '',
    variable: 'sums',
    type: `${name}_sums`,
    stored,
  };
}
