import type { Functor } from '@corpuscle/functor';
import { plainResults } from '@corpuscle/functor/ir';
import {
  combineWgsl,
  type DeviceResult,
  identityOf,
  packedWgsl,
  partialsEnd,
  treeMemoryWgsl,
  treeWgsl,
} from '../wgsl/reduceWgsl.js';
import { markedFunctors } from './functorText.js';
import { joinedParts, type KernelPart, LANES } from './KernelPart.js';
import type { ParticleAccess } from './ParticleAccess.js';

/**
 * Reduce functors as the end of a kernel: the share of each particle is combined with those of the workgroup, which leaves one
 * partial result. Where the same particles are reduced in kernels of other shapes, the outcome is the same: see `treeWgsl`.
 *
 * @param mark of their names, see `markedFunctors`. @param group number of the workgroup in the whole call.
 * @param others results that the kernel finds itself, in `own_0` and on: they come before those of the functors.
 */
export function sumsPart(
  functors: readonly Functor<'reduce'>[],
  access: ParticleAccess,
  mark: string,
  group: string,
  others: readonly DeviceResult[] = [],
): KernelPart {
  const results = [...others];
  const parts = markedFunctors('Reduce', functors, mark, access.state).map(
    ({ functor, tables, lowered, text }): Partial<KernelPart> => {
      const ops = plainResults(functor);
      const first = results.length;
      for (const { field, type } of lowered.fields.acc)
        results.push({ name: field, type, op: ops[field]! });
      const load = lowered.fields.i.map((f) => `i.${f.member} = ${access.value(f, 'row')};`);
      const start = lowered.fields.acc.map(
        ({ member }, k) => `acc.${member} = ${identityOf(results[first + k]!)};`,
      );
      const keep = lowered.fields.acc.map(
        ({ member }, k) =>
          `own_${first + k} = ${packedWgsl(results[first + k]!, `acc.${member}`)};`,
      );
      const particle = `// ${functor.name}
    {
      var i: ${lowered.name}_i;
      ${load.join('\n      ')}
      var acc: ${lowered.name}_acc;
      ${start.join('\n      ')}
      ${lowered.name}(&acc, i);
      ${keep.join('\n      ')}
    }`;
      const { params } = tables;
      return { tables: [tables], params, declarations: text, fields: lowered.fields.i, particle };
    },
  );
  return joinedParts([resultsPart(results, group), ...parts]);
}

/** Results in `own_0` and on of each thread: workgroups leave partial ones. Nothing where there are none. */
export function resultsPart(results: readonly DeviceResult[], group: string): Partial<KernelPart> {
  if (results.length === 0) return {};
  return {
    buffers: [{ name: 'partials', type: 'array<vec2u>', access: 'read_write' }],
    declarations: `${treeMemoryWgsl(LANES, results.length)}${combineWgsl(results)}`,
    results,
    before: results
      .map((result, k) => `var own_${k} = ${packedWgsl(result, identityOf(result))};`)
      .join('\n  '),
    workgroup: treeWgsl(results, LANES, partialsEnd('partials', 'P.groups', group)),
  };
}
