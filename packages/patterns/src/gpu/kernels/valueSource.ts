import type { Functor } from '@corpuscle/functor';
import type { KernelBuffer, KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { COMBINE_LANES, combinePartials, combineWithin } from '../wgsl/combinePartials.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import { LANES } from './KernelPart.js';

/** A kernel over values of the context. */
export interface ValueSource {
  readonly source: KernelSource;
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
}

/** The parameter with the place of value n of functor k, of several. */
export const placeName = (k: number, n: number): string => `v${k}_at_${n}`;

/** The parameter with the place of result k of reductions. */
export const sumPlaceName = (k: number): string => `sum_${k}`;

/** What a kernel over values is made for. */
interface ValueRequest {
  readonly functors: readonly Functor<'cell'>[];
  /** Results of reductions that it combines first. */
  readonly results: readonly DeviceResult[];
  /** Of a kernel that only combines. */
  readonly label: string;
  /** Partial results for 128 rows. */
  readonly perBlock: number;
  /** Whether several workgroups combine them. */
  readonly isSpread: boolean;
  /** Workgroups that have left partial results, where each workgroup of a kernel over particles combines them. */
  readonly within?: number;
  readonly state: DeviceReal;
}

/**
 * One thread computes with values, one functor after the other; before that one workgroup combines the partial results of
 * reductions, if there are any. So a reduction and what is computed from it take one dispatch. A kernel that only combines may
 * leave results in any buffer.
 */
export function valueSource(request: ValueRequest): ValueSource {
  const { functors, results, label, perBlock, isSpread, within, state } = request;
  const parts = functors.map((functor, k) => valuePart(functor, k, state));
  const tables = parts.map((part) => part.tables);
  const sums: Record<string, 'u32'> = {};
  for (const k of results.keys()) sums[sumPlaceName(k)] = 'u32';
  const isCombination = functors.length === 0;
  const store = (k: number, outcome: string) =>
    isCombination
      ? `results[P.${sumPlaceName(k)}] = ${outcome};`
      : `values[P.${sumPlaceName(k)}] = bitcast<vec2f>(${outcome});`;
  const end = { when: '', store };
  const combined = () =>
    within === undefined
      ? combinePartials(results, perBlock, isSpread, end)
      : combineWithin(results, within, LANES, end);
  const combine = results.length > 0 ? combined() : null;
  const names = functors.map(({ name }) => name);
  const source: KernelSource = {
    label: isCombination ? label : [...(combine ? ['combine'] : []), ...names].join(' + '),
    about: aboutValues(names, combine?.about),
    functors: Object.fromEntries(names.map((name, k) => [`v${k}`, name])),
    workgroupSize: combine ? COMBINE_LANES : 1,
    buffers: [
      ...tables.flatMap(({ buffers }) => buffers),
      ...(combine?.buffers ?? []),
      ...(isCombination ? [RESULTS] : []),
    ],
    params: {
      ...Object.assign({}, ...parts.map(({ params }) => params)),
      ...combine?.params,
      ...sums,
      one: 'f32',
    },
    declarations: `${combine?.declarations ?? ''}
${parts.map(({ declarations }) => declarations).join('\n')}`,
    body: isCombination
      ? combine!.body
      : `${combine ? `${combine.body}\n  storageBarrier();` : ''}
  if (lane == 0u) {
    ${parts.map(({ call }) => call).join('\n    ')}
  }`,
  };
  return { source, tables };
}

const RESULTS: KernelBuffer = { name: 'results', type: 'array<vec2u>', access: 'read_write' };

function aboutValues(names: readonly string[], combine: string | undefined): string {
  return [
    ...(combine ? [combine] : []),
    ...(names.length > 0
      ? [`One thread computes values of the context from others: ${names.join(', ')}.`]
      : []),
  ].join('\n');
}

/** A functor that loads values, computes, and stores them. */
function valuePart(functor: Functor<'cell'>, k: number, state: DeviceReal) {
  const ir = functor.ir!;
  const tables = new FunctorTables(ir, `v${k}_`, state);
  const lowered = functorText(functor, ir, tables, `_v${k}`);
  const names = functor.spec.kind === 'cell' ? Object.keys(functor.spec.fields) : [];
  const params: Record<string, 'u32'> = {};
  for (const n of names.keys()) params[placeName(k, n)] = 'u32';
  const isDouble = state === 'f64';
  const used = lowered.fields.i.map((field) => ({
    ...field,
    place: `values[P.${placeName(k, names.indexOf(field.field))}]`,
  }));
  const stored = (member: string) => (isDouble ? `i.${member}` : `vec2f(i.${member}, 0.0)`);
  const load = used.map(({ member, place }) => `i.${member} = ${place}${isDouble ? '' : '.x'};`);
  const store = used
    .filter(({ written }) => written)
    .map(({ member, place }) => `${place} = ${stored(member)};`);
  return {
    tables,
    params: { ...tables.params, ...params },
    declarations: `
// Value functor ${functor.name}.
${lowered.structs}
${lowered.functions}`,
    call: `// ${functor.name}
    {
      var i: ${lowered.name}_i;
      ${load.join('\n      ')}
      ${lowered.name}(&i);
      ${store.join('\n      ')}
    }`,
  };
}
