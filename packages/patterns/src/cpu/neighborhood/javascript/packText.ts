import { type JavaScriptEnv, lowerToJavaScript } from '@corpuscle/functor/javascript';
import { elementText } from '../../kernels/HeapText.js';
import type { NeighborhoodPlan } from '../NeighborhoodPlan.js';
import type { ItemText } from './rowEnvironment.js';

/** Packs neighbor `$j` at place `$count`, after the call's filters have looked at it. */
export function packText(plan: NeighborhoodPlan, env: JavaScriptEnv, item: ItemText): string {
  const { before, geometry } = filterText(plan, env);
  const fields = plan.neighbor.map(
    (p) => `${item(p.field, '$count')} = ${elementText(`$inOther_${p.field}`, '$j', p)};`,
  );
  const given = plan.outputs.filter((output) => output.scattered === 'kept');
  return `${before}
        U32[$n_$row + $count] = $j;
        ${geometry}
        ${fields.join(' ')}
        ${given.map(({ field }) => `${item(field, '$count')} = 0;`).join(' ')}
        $count++;`;
}

/** What the call's filters do with a neighbor before it is packed, and what is packed then. */
function filterText(
  plan: NeighborhoodPlan,
  env: JavaScriptEnv,
): { readonly before: string; readonly geometry: string } {
  const names = ['dx', 'dy', 'dz', 'r2'];
  const { pack } = plan;
  const put = (name: string, value: string) => `F64[$n_${name} + $count] = ${value};`;
  if (!pack) return { before: '', geometry: names.map((name) => put(name, `$${name}`)).join(' ') };
  const { prologue, body } = lowerToJavaScript(pack, {
    ...env,
    read(role, field) {
      if (role === 'd') return field === 'r2' ? '$r2' : `$d${field}`;
      return role === 'j' ? `$l_${field}` : env.read(role, field);
    },
    write: (_role, field, op, value) => `$${field} ${op} ${value};`,
  });
  const weighted = pack.roles.i?.opt_weight !== undefined;
  const looked = plan.looked.map(
    (p) => `const $l_${p.field} = ${elementText(`$inLooked_${p.field}`, '$j', p)};`,
  );
  return {
    before: `
        let $opt_keep = 0${weighted ? ', $opt_weight = 1' : ''};
        let ${names.map((name) => `$opt_${name} = $${name}`).join(', ')};
        {
          ${looked.join(' ')}
          ${prologue}
          functor: {
${body}
          }
        }
        if ($opt_keep === 0) continue;`,
    geometry: [...names, ...(weighted ? ['weight'] : [])]
      .map((name) => put(name, `$opt_${name}`))
      .join(' '),
  };
}
