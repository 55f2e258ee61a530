import type { FunctorIR } from '@corpuscle/functor/ir';
import { type LoweredWgsl, wgslMember } from '@corpuscle/functor/wgsl';
import { type DeviceReal, realType } from '../double/DeviceReals.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { arrayOf, type BufferPlan } from './BufferPlan.js';
import { vectorFrom, vectorType } from './displaced.js';
import { STAGE } from './stages.js';

/** The private context of a particle. */
export function contextText(ir: FunctorIR, real: DeviceReal): string {
  const members = Object.entries(ir.roles.x ?? {}).map(
    ([field, { type }]) => `${wgslMember(field)}: ${type === 'real' ? realType(real) : type}`,
  );
  return `struct Context { ${members.join(', ')} }
var<private> x: Context;`;
}

/** Stage of turn `k` of a loop over `count` and two more: the first starts, the last stops. */
const stageOf = (k: string, count: string): string =>
  `x.${STAGE}_ = select(select(1u, 2u, ${k} > ${count}), 0u, ${k} == 0u);`;

/**
 * Hands a listed neighbor that is within the cutoff to a functor of pairs, or has it start or stop: one call in the text,
 * since compilers copy the functor to each.
 */
export function visitText(lowered: LoweredWgsl, access: ParticleAccess, real: DeviceReal): string {
  const rows = access.loadRows(lowered.fields.j, 'other', 'row');
  const load = lowered.fields.j.map(
    (field) => `j.${field.member} = ${access.value(field, 'other')};`,
  );
  return `
fn visit(i: ptr<function, ${lowered.name}_i>, xi: vec3f, ci: vec3f, e: u32) {
  var d: ${vectorType(real)};
  var j: ${lowered.name}_j;
  if (x.${STAGE}_ == 1u) {
    let row = rowOf(e);
    d = displaced(xi, ci, e, b_position[row]);
    if (!within(d)) { return; }
    ${rows}
    ${load.join('\n    ')}
  }
  ${lowered.name}(i, j, d);
}`;
}

/** The walk of a functor of pairs along the list, with its start and its stop. */
export const eachText = `
    var at = index;
    let vectors = (listed + 3u) / 4u;
    for (var k = 0u; k < vectors + 2u; k++) {
      ${stageOf('k', 'vectors')}
      var v = vec4u();
      if (x.${STAGE}_ == 1u) {
        v = entries[at];
        at += P.stride;
      }
      for (var s = 0u; s < select(1u, 4u, x.${STAGE}_ == 1u); s++) { visit(&i, xi, ci, v[s]); }
    }`;

/** A functor of pairs over the buffer, with its start and its stop. */
export function packedText({ name }: LoweredWgsl, buffer: BufferPlan, real: DeviceReal): string {
  const load = buffer.packed.map(({ field, member }) => `j.${member} = ${arrayOf(field)}[k - 1u];`);
  const d = ['dx', 'dy', 'dz', 'r2'].map((field) => `${arrayOf(field)}[k - 1u]`);
  return `for (var k = 0u; k < n.count_ + 2u; k++) {
      ${stageOf('k', 'n.count_')}
      var d: ${vectorType(real)};
      var j: ${name}_j;
      if (x.${STAGE}_ == 1u) {
        d = ${vectorFrom(real, d)};
        ${load.join('\n        ')}
      }
      ${name}(&i, j, d);
    }`;
}
