import type { Functor } from '@corpuscle/functor';
import { plainResults } from '@corpuscle/functor/ir';
import type { WgslField } from '@corpuscle/functor/wgsl';
import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import {
  combineWgsl,
  type DeviceResult,
  identityOf,
  packedWgsl,
  type TreeEnd,
  treeMemoryWgsl,
  treeWgsl,
} from '../wgsl/reduceWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import type { ParticleAccess } from './ParticleAccess.js';

/** Reduce functors as the end of a kernel that has a particle's rows in `row_<block>`. */
export interface ReduceBody {
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
  readonly params: Readonly<Record<string, ParamType>>;
  /** Where workgroups leave partial results; none without functors. */
  readonly buffers: readonly KernelBuffer[];
  readonly declarations: string;
  /** All fields that they use. */
  readonly fields: readonly WgslField[];
  /** Results of the kernel and of all functors, one after the other. */
  readonly results: readonly DeviceResult[];
  /** Statements for all threads, in front of the others. */
  readonly before: string;
  /** Statements for the particle of a thread. */
  readonly particle: string;
  /** Statements that combine the particles of a workgroup, in uniform control flow. */
  workgroup(end: TreeEnd): string;
}

const NOTHING: ReduceBody = {
  tables: [],
  params: {},
  buffers: [],
  declarations: '',
  fields: [],
  results: [],
  before: '',
  particle: '',
  workgroup: () => '',
};

/**
 * Each thread has a particle: its share is combined with those of the workgroup, which leaves one partial result. Where
 * the same particles are reduced in kernels of other shapes, the outcome is the same: see `treeWgsl`.
 *
 * @param lanes threads of the workgroup. @param mark tells the names of several functors in one kernel apart; empty for one alone.
 * @param others results that the kernel finds itself, in `own_0` and on: they come before those of the functors.
 */
export function reduceBody(
  functors: readonly Functor<'reduce'>[],
  access: ParticleAccess,
  state: DeviceReal,
  lanes: number,
  mark: string,
  others: readonly DeviceResult[] = [],
): ReduceBody {
  if (functors.length + others.length === 0) return NOTHING;
  const results = [...others];
  const parts = functors.map((functor, k) => {
    const ir = functor.ir!;
    const tables = new FunctorTables(ir, mark && `${mark}${k}_`, state);
    const lowered = functorText(functor, ir, tables, mark && `_${mark}${k}`);
    const ops = plainResults(functor);
    const first = results.length;
    for (const { field, type } of lowered.fields.acc)
      results.push({ name: field, type, op: ops[field]! });
    return { functor, tables, lowered, first };
  });
  const calls = parts.map(({ functor, lowered, first }) => {
    const load = lowered.fields.i.map((f) => `i.${f.member} = ${access.value(f, 'row')};`);
    const start = lowered.fields.acc.map(
      ({ member }, k) => `acc.${member} = ${identityOf(results[first + k]!)};`,
    );
    const keep = lowered.fields.acc.map(
      ({ member }, k) => `own_${first + k} = ${packedWgsl(results[first + k]!, `acc.${member}`)};`,
    );
    return `// ${functor.name}
    {
      var i: ${lowered.name}_i;
      ${load.join('\n      ')}
      var acc: ${lowered.name}_acc;
      ${start.join('\n      ')}
      ${lowered.name}(&acc, i);
      ${keep.join('\n      ')}
    }`;
  });
  const texts = parts.map(
    ({ functor, lowered }) => `
// Reduce functor ${functor.name}.
${lowered.structs}
${lowered.functions}`,
  );
  return {
    tables: parts.map((part) => part.tables),
    params: Object.assign({}, ...parts.map((part) => part.tables.params)),
    buffers: [{ name: 'partials', type: 'array<vec2u>', access: 'read_write' }],
    declarations: `${treeMemoryWgsl(lanes, results.length)}${combineWgsl(results)}${texts.join('\n')}`,
    fields: parts.flatMap(({ lowered }) => lowered.fields.i),
    results,
    before: results
      .map((result, k) => `var own_${k} = ${packedWgsl(result, identityOf(result))};`)
      .join('\n  '),
    particle: calls.join('\n    '),
    workgroup: (end) => treeWgsl(results, lanes, end),
  };
}
