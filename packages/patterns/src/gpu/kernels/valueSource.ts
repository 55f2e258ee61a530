import type { Functor } from '@corpuscle/functor';
import type { KernelBuffer, KernelSource } from '../device/GpuKernel.js';
import type { DeviceReal } from '../double/DeviceReals.js';
import { COMBINE_LANES, combinePartials, combineWithin } from '../wgsl/combinePartials.js';
import type { PlacedResult } from '../wgsl/reduceWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import { LANES } from './KernelPart.js';

/** A value functor, and where its values lie in the store. */
export interface PlacedFunctor {
  readonly functor: Functor<'cell'>;
  readonly places: readonly number[];
}

/** A kernel over values of the context. */
export interface ValueSource {
  readonly source: KernelSource;
  /** One for each functor. */
  readonly tables: readonly FunctorTables[];
}

/** The parameter with the place of result k of reductions, in a kernel that only combines. */
export const sumPlaceName = (k: number): string => `sum_${k}`;

/** What a kernel over values is made for. */
interface ValueRequest {
  readonly functors: readonly PlacedFunctor[];
  /** Results of reductions that it combines first. */
  readonly results: readonly PlacedResult[];
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
 *
 * All other threads of the device wait for that one thread: values are read early, each once, are handed from functor to functor in
 * registers, and are stored at the end.
 */
export function valueSource(request: ValueRequest): ValueSource {
  const { functors, results, label, perBlock, isSpread, within, state } = request;
  const parts = functors.map((one, k) => valuePart(one, k, state));
  const tables = parts.map((part) => part.tables);
  const isCombination = functors.length === 0;
  const held = heldValues(parts, results, state);
  const end = { when: '', store: isCombination ? storeResult : held.keep };
  const combined = () =>
    within === undefined
      ? combinePartials(results, perBlock, isSpread, end)
      : combineWithin(results, within, LANES, end);
  const combine = results.length > 0 ? combined() : null;
  const names = functors.map(({ functor }) => functor.name);
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
      ...Object.assign({}, ...parts.map(({ tables: { params } }) => params)),
      ...combine?.params,
      ...(isCombination ? placesOfResults(results.length) : {}),
      one: 'f32',
    },
    declarations: `${combine ? combine.declarations + held.memory : ''}
${parts.map(({ declarations }) => declarations).join('\n')}`,
    ...(isCombination ? {} : { early: held.early }),
    body: isCombination
      ? combine!.body
      : `${combine ? `${combine.body}\n  workgroupBarrier();` : ''}
  if (lane == 0u) {
    ${held.compute}
  }`,
  };
  return { source, tables };
}

const storeResult = (k: number, outcome: string): string =>
  `results[P.${sumPlaceName(k)}] = ${outcome};`;

const placesOfResults = (count: number): Record<string, 'u32'> =>
  Object.fromEntries(Array.from({ length: count }, (_, k) => [sumPlaceName(k), 'u32']));

const RESULTS: KernelBuffer = { name: 'results', type: 'array<vec2u>', access: 'read_write' };

function aboutValues(names: readonly string[], combine: string | undefined): string {
  return [
    ...(combine ? [combine] : []),
    ...(names.length > 0
      ? [`One thread computes values of the context from others: ${names.join(', ')}.`]
      : []),
  ].join('\n');
}

/** The variable that holds a value while functors compute. */
const variableOf = (place: number): string => `value_${place}`;

type ValuePart = ReturnType<typeof valuePart>;

/**
 * Statements around functors of values: what they use, and results of reductions, are in variables of their thread. A functor that
 * takes values as parameters finds them in memory, so that what is known by then is stored before it.
 */
function heldValues(
  parts: readonly ValuePart[],
  results: readonly PlacedResult[],
  state: DeviceReal,
) {
  const isDouble = state === 'f64';
  const found = new Map(results.map(({ place }, k) => [place, k]));
  const places = new Set([...found.keys(), ...parts.flatMap((part) => part.places)]);
  const written = new Set(parts.flatMap((part) => part.written));
  const storeOf = (place: number): string => {
    const value = variableOf(place);
    // Results have low parts in single precision too.
    const result = written.has(place) ? undefined : found.get(place);
    if (result !== undefined) return `values[${place}u] = bitcast<vec2f>(found[${result}]);`;
    return `values[${place}u] = ${isDouble ? value : `vec2f(${value}, 0.0)`};`;
  };
  const statements = [...found].map(([place, k]) => {
    const number = isDouble ? `bitcast<vec2f>(found[${k}])` : `bitcast<f32>(found[${k}].x)`;
    return `${variableOf(place)} = ${number};`;
  });
  let changed = new Set(found.keys());
  // What needs no result comes first.
  const needing = parts.findIndex(
    (part) => part.looksAtMemory || part.places.some((place) => found.has(place)),
  );
  const before = found.size > 0 ? parts.slice(0, Math.max(0, needing)) : [];
  for (const part of before) changed = new Set([...changed, ...part.written]);
  for (const part of parts.slice(before.length)) {
    if (part.looksAtMemory) {
      statements.push(...[...changed].map(storeOf));
      changed = new Set();
    }
    statements.push(part.call);
    changed = new Set([...changed, ...part.written]);
  }
  return {
    memory: results.length > 0 ? `\nvar<workgroup> found: array<vec2u, ${results.length}>;` : '',
    /** A statement that hands on result k. */
    keep: (k: number, outcome: string): string => `found[${k}] = ${outcome};`,
    /** Statements that need no result: loads of values, and functors that compute with these alone. */
    early: `
  // Values that functors compute with.
  ${[...places].map((place) => `var ${variableOf(place)} = ${isDouble ? 'vec2f' : 'f32'}();`).join(' ')}
  if (lane == 0u) {
    ${[...places]
      .filter((place) => !found.has(place))
      .map((place) => `${variableOf(place)} = values[${place}u]${isDouble ? '' : '.x'};`)
      .concat(before.map(({ call }) => call))
      .join('\n    ')}
  }`,
    compute: [...statements, ...[...changed].map(storeOf)].join('\n    '),
  };
}

/** A functor that computes with values. */
function valuePart({ functor, places }: PlacedFunctor, k: number, state: DeviceReal) {
  const ir = functor.ir!;
  const tables = new FunctorTables(ir, `v${k}_`, state);
  const lowered = functorText(functor, ir, tables, `_v${k}`);
  const names = functor.spec.kind === 'cell' ? Object.keys(functor.spec.fields) : [];
  const placeOf = (field: string): number => places[names.indexOf(field)]!;
  const fields = lowered.fields.i;
  const load = fields.map(({ member, field }) => `i.${member} = ${variableOf(placeOf(field))};`);
  const written = fields.filter((one) => one.written);
  const store = written.map(({ member, field }) => `${variableOf(placeOf(field))} = i.${member};`);
  return {
    tables,
    places: fields.map(({ field }) => placeOf(field)),
    written: written.map(({ field }) => placeOf(field)),
    /** Whether it takes values as parameters. */
    looksAtMemory: /\bvalues\[/.test(lowered.functions),
    declarations: `
// Value functor ${functor.name}.
${lowered.structs}
${lowered.functions}`,
    call: `// ${functor.name}
    {
      var i = ${lowered.name}_i();
      ${load.join('\n      ')}
      ${lowered.name}(&i);
      ${store.join('\n      ')}
    }`,
  };
}
