import type { Functor } from '@corpuscle/functor';
import { plainResults } from '@corpuscle/functor/ir';
import {
  combineWgsl,
  type DeviceResult,
  emptyWgsl,
  identityOf,
  packedWgsl,
} from '../wgsl/reduceWgsl.js';
import { partialsEnd, type TreeShape, treeMemoryWgsl, treeWgsl } from '../wgsl/treeWgsl.js';
import { markedFunctors } from './functorText.js';
import { joinedParts, type KernelPart } from './KernelPart.js';
import type { ParticleAccess } from './ParticleAccess.js';

/** The workgroups of a kernel. */
export interface Workgroups {
  /** Number of one in the whole call, as text. */
  readonly group: string;
  /** Which of its threads have a particle. */
  readonly shape: TreeShape;
}

/**
 * Reduce functors as the end of a kernel: the share of each particle is combined with those of the workgroup, which leaves one
 * partial result. Where the same particles are reduced in kernels of other shapes, the outcome is the same: see `treeWgsl`.
 *
 * @param mark of their names, see `markedFunctors`.
 * @param others results that the kernel finds itself, in `own_0` and on: they come before those of the functors.
 */
export function sumsPart(
  functors: readonly Functor<'reduce'>[],
  access: ParticleAccess,
  mark: string,
  workgroups: Workgroups,
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
      var i = ${lowered.name}_i();
      ${load.join('\n      ')}
      var acc = ${lowered.name}_acc();
      ${start.join('\n      ')}
      ${lowered.name}(&acc, i);
      ${keep.join('\n      ')}
    }`;
      const { params } = tables;
      return { tables: [tables], params, declarations: text, fields: lowered.fields.i, particle };
    },
  );
  return joinedParts([resultsPart(results, workgroups), ...parts]);
}

/** Results in `own_0` and on of each thread: workgroups leave partial ones. Nothing where there are none. */
export function resultsPart(
  results: readonly DeviceResult[],
  { group, shape }: Workgroups,
): Partial<KernelPart> {
  if (results.length === 0) return {};
  return {
    buffers: [{ name: 'partials', type: 'array<vec2u>', access: 'read_write' }],
    declarations: `${treeMemoryWgsl(shape, results.length)}${combineWgsl(results)}`,
    results,
    before: results
      .map((result, k) => `var own_${k} = ${emptyWgsl(result)}; // ${result.name}`)
      .join('\n  '),
    workgroup: treeWgsl(results, shape, partialsEnd('partials', 'P.groups', group)),
  };
}
