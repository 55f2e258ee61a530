import type { Functor } from '@corpuscle/functor';
import type { KernelBuffer, KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { FunctorTables } from '../pattern/FunctorTables.js';
import type { PlacedFunctor } from '../values/ValuePass.js';
import { COMBINE_LANES, combinePartials } from '../wgsl/combinePartials.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import { functorText } from './functorText.js';
import { passedFields } from './passedValues.js';

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
  readonly state: DeviceReal;
}

/**
 * One thread computes with values, one functor after the other; before that one workgroup combines the partial results of
 * reductions, if there are any. So a reduction and what is computed from it take one dispatch. A kernel that only combines may
 * leave results in any buffer.
 */
export function valueSource(request: ValueRequest): ValueSource {
  const { functors, results, label, perBlock, isSpread, state } = request;
  const parts = functors.map((functor, k) => valuePart(functor, k, state));
  const tables = parts.map((part) => part.tables);
  const sums: Record<string, 'u32'> = {};
  for (const k of results.keys()) sums[sumPlaceName(k)] = 'u32';
  const isCombination = functors.length === 0;
  const store = (k: number, outcome: string) =>
    isCombination
      ? `results[P.${sumPlaceName(k)}] = ${outcome};`
      : `values[P.${sumPlaceName(k)}] = bitcast<vec2f>(${outcome});`;
  const combine =
    results.length > 0 ? combinePartials(results, perBlock, isSpread, { when: '', store }) : null;
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

/** What the workgroups of a kernel find for themselves. */
interface Passing {
  readonly placed: PlacedFunctor;
  /** Slots of workgroup memory by places of values. */
  readonly slots: ReadonlyMap<number, number>;
  /** Places whose values have been found so far; those that the functor sets are added. */
  readonly made: Set<number>;
}

/** A functor that loads values, computes, and stores them. @param passing where each workgroup does */
export function valuePart(
  functor: Functor<'cell'>,
  k: number,
  state: DeviceReal,
  passing: Passing | null = null,
) {
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
  const fields = passing ? passedFields(passing.placed) : null;
  const load = used.flatMap(({ field, member, place }) => {
    const passed = fields?.[names.indexOf(field)];
    if (passed && !passed.seen) return [];
    if (passed && passing!.made.has(passed.place))
      return [`i.${member} = passed[${passing!.slots.get(passed.place)}];`];
    return [`i.${member} = ${place}${isDouble ? '' : '.x'};`];
  });
  const store = used
    .filter(({ written }) => written)
    .map(({ field, member, place }) => {
      const put = `${place} = ${stored(member)};`;
      if (!fields) return put;
      const at = passing!.slots.get(fields[names.indexOf(field)]!.place);
      return `passed[${at}] = i.${member}; if (group == 0u) { ${put} }`;
    });
  for (const { written, place } of fields ?? []) if (written) passing!.made.add(place);
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
