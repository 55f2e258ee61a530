import type { WgslEnv } from '@corpuscle/functor/wgsl';
import { realType } from '../double/DeviceReals.js';
import { lowerWith } from '../kernels/functorText.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { vectorFrom, vectorType } from './displaced.js';
import type { KernelRequest } from './KernelRequest.js';

/** The filters of a call, in WGSL. */
export interface FilterText {
  readonly declarations: string;
  /** Statements that look at the particle itself. */
  readonly load: string;
  /** Whether neighbor `row` counts, `d` away; may change `d` and `weight`. */
  readonly keeps: string;
  /** A weight that changes nothing. */
  readonly weight: string;
}

/** The call's filters as a function `passes`, which may change the displacement and the weight. */
export function filterText(
  { functor, ir, reals }: KernelRequest,
  env: WgslEnv,
  access: ParticleAccess,
): FilterText {
  const real = realType(reals.pair);
  const weight = real === 'f32' ? '1.0' : 'vec2f(1.0, 0.0)';
  if (!ir.pack) return { declarations: '', load: '', keeps: 'true', weight };
  const lowered = lowerWith(functor, ir.pack, env, '_pack', reals.pair);
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
  const changed = ['dx', 'dy', 'dz', 'r2'].map((name) => `i.opt_${name}_`);
  const out = [
    has('opt_dx') ? `*d = ${vectorFrom(reals.pair, changed)};` : '',
    has('opt_weight') ? '*weight = i.opt_weight_;' : '',
  ];
  return {
    load: load.join('\n    '),
    keeps: 'passes(row, &d, &weight)',
    weight,
    declarations: `
${lowered.structs}
${lowered.functions}
var<private> looking: ${lowered.name}_i;
fn passes(row: u32, d: ptr<function, ${vectorType(reals.pair)}>, weight: ptr<function, ${real}>) -> bool {
  var i = looking;
  i.opt_keep_ = 0u;
  var j: ${lowered.name}_j;
  ${rows}
  ${seen.join('\n  ')}
  ${lowered.name}(&i, j, *d);
  if (i.opt_keep_ == 0u) { return false; }
  ${out.filter(Boolean).join('\n  ')}
  return true;
}`,
  };
}
