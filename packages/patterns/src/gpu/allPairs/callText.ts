import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { PairSums } from '../double/PairSums.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import type { TileRequest } from './tileSource.js';

/** Attributes of neighbors that a functor reads. */
export const readFields = ({ fields }: LoweredWgsl): WgslField[] =>
  fields.j.map((field) => ({ ...field, written: false }));

/** The function `call` of a walk: the functor with the attributes of the neighbor. */
export function callText(
  { reals }: Pick<TileRequest, 'reals'>,
  lowered: LoweredWgsl,
  access: ParticleAccess,
  { afterCall }: PairSums,
  suffix = '',
): string {
  const { name } = lowered;
  const others = readFields(lowered);
  const rows = access.loadRows(others, 'other', 'jrow');
  const load = others.map((field) => `j.${field.member} = ${access.value(field, 'other')};`);
  return `
fn call${suffix}(i: ptr<function, ${name}_i>, d: ${reals.pair === 'f64' ? 'mat2x4f' : 'vec4f'}, jrow: u32) {
  ${[rows, `var j: ${name}_j;`, ...load].join('\n  ')}
  ${name}(i, j, d);
  ${afterCall}
}`;
}
