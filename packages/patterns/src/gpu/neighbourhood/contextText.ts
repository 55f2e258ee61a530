import type { FunctorIR } from '../../functor/ir.js';
import type { LoweredWgsl } from '../../lower/wgsl/WgslEnv.js';
import { wgslMember } from '../../lower/wgsl/wgslNames.js';
import type { ParticleAccess } from '../pattern/ParticleAccess.js';

/** The private context of a particle. */
export function contextText(ir: FunctorIR): string {
  const members = Object.entries(ir.roles.x ?? {}).map(
    ([field, { type }]) => `${wgslMember(field)}: ${type === 'real' ? 'f32' : type}`,
  );
  return `struct Context { ${members.join(', ')} }
var<private> x: Context;`;
}

/** Hands a listed neighbour that is within the cutoff to a functor of pairs. */
export function meetText(lowered: LoweredWgsl, access: ParticleAccess): string {
  const rows = access.loadRows(lowered.fields.j, 'other', 'row');
  const load = lowered.fields.j.map(
    (field) => `j.${field.member} = ${access.value(field, 'other')};`,
  );
  return `
fn meet(i: ptr<function, ${lowered.name}_i>, xi: vec3f, ci: vec3f, e: u32) {
  let row = rowOf(e);
  let q = b_position[row];
  let d = between(xi, q, ci - cellParts(q.w) + imageParts(e));
  let r2 = dot(d, d);
  if (r2 >= P.rcut2) { return; }
  var j: ${lowered.name}_j;
  ${rows}
  ${load.join('\n  ')}
  ${lowered.name}(i, j, vec4f(d, r2));
}`;
}

/** A functor of pairs over the buffer. */
export function packedText({ name }: LoweredWgsl, packed: readonly string[]): string {
  const load = packed.map((field) => `j.${wgslMember(field)} = n_${wgslMember(field)}[k];`);
  return `for (var k = 0u; k < n.count_; k++) {
      var j: ${name}_j;
      ${load.join('\n      ')}
      ${name}(&i, j, vec4f(n_dx_[k], n_dy_[k], n_dz_[k], n_r2_[k]));
    }`;
}
