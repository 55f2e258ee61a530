import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import type { WgslEnv } from '../../lower/wgsl/WgslEnv.js';
import { lowerWith } from '../pattern/functorText.js';
import type { ParticleAccess } from '../pattern/ParticleAccess.js';

/** The call's filters as a function `passes`, which may change the displacement and the weight. */
export function filterText(
  functor: Functor,
  filter: FunctorIR,
  env: WgslEnv,
  access: ParticleAccess,
): { readonly declarations: string; readonly load: string } {
  const lowered = lowerWith(functor, filter, env, '_pack');
  const own = lowered.fields.i.filter((field) => !field.written);
  const load = [
    access.loadRows(own, 'own', 'own'),
    ...own.map((field) => `looking.${field.member} = ${access.value(field, 'own')};`),
  ];
  const rows = access.loadRows(lowered.fields.j, 'seen', 'row');
  const seen = lowered.fields.j.map(
    (field) => `j.${field.member} = ${access.value(field, 'seen')};`,
  );
  const has = (name: string) => lowered.fields.i.some((field) => field.field === name);
  const out = [
    has('opt_dx') ? '*d = vec3f(i.opt_dx_, i.opt_dy_, i.opt_dz_); *r2 = i.opt_r2_;' : '',
    has('opt_weight') ? '*weight = i.opt_weight_;' : '',
  ];
  return {
    load: load.join('\n    '),
    declarations: `
${lowered.structs}
${lowered.functions}
var<private> looking: ${lowered.name}_i;
fn passes(row: u32, d: ptr<function, vec3f>, r2: ptr<function, f32>, weight: ptr<function, f32>) -> bool {
  var i = looking;
  i.opt_keep_ = 0u;
  var j: ${lowered.name}_j;
  ${rows}
  ${seen.join('\n  ')}
  ${lowered.name}(&i, j, vec4f(*d, *r2));
  if (i.opt_keep_ == 0u) { return false; }
  ${out.filter(Boolean).join('\n  ')}
  return true;
}`,
  };
}
