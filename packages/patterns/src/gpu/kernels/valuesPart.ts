import type { ParameterValues } from '../../plan/calls.js';
import type { PartialSums } from '../pattern/PartialSums.js';
import type { PlacedFunctor } from '../values/ValuePass.js';
import { gatherPartials } from '../wgsl/gatherPartials.js';
import { combineWgsl } from '../wgsl/reduceWgsl.js';
import { treeMemoryWgsl, treeWgsl, wholeTree } from '../wgsl/treeWgsl.js';
import { type KernelPart, LANES } from './KernelPart.js';
import { slotsOf } from './passedValues.js';
import { sumPlaceName, valuePart } from './valueSource.js';

/** What a pass over values would do before a kernel of cell functors, and parameters of these. */
export interface PassedValues {
  /** Sums that it combines; null for none. */
  readonly sums: PartialSums | null;
  readonly functors: readonly PlacedFunctor[];
  /** Parameters of each cell functor: places of values among them. */
  readonly given: readonly ParameterValues[];
}

/** Slots of workgroup memory (`passed`), by places of values. */
export const passedSlots = ({ sums, functors }: PassedValues): ReadonlyMap<number, number> =>
  slotsOf(sums?.results ?? [], functors);

/**
 * A pass over values at the beginning of a kernel, so that it takes no dispatch of its own: every workgroup combines the partial
 * results and makes the value functors for itself, and the first one stores what they set.
 *
 *   partials ─tree─▶ passed[…] ─functors─▶ passed[…] ─▶ cell functors of this workgroup
 *                        └────── workgroup 0 ──┴──▶ values[…]
 *
 * The outcome is that of a pass of its own for up to 128 blocks of rows.
 */
export function valuesPart(passed: PassedValues): Partial<KernelPart> {
  const { sums, functors } = passed;
  const results = sums?.results ?? [];
  const slots = passedSlots(passed);
  const made = new Set(results.map(({ place }) => place));
  const parts = functors.map((placed, k) =>
    valuePart(placed.functor, k, 'f32', { placed, slots, made }),
  );
  const sumPlaces: Record<string, 'u32'> = {};
  for (const k of results.keys()) sumPlaces[sumPlaceName(k)] = 'u32';
  const store = (k: number, outcome: string) =>
    `passed[${slots.get(results[k]!.place)}] = bitcast<vec2f>(${outcome}).x; if (group == 0u) { values[P.${sumPlaceName(k)}] = bitcast<vec2f>(${outcome}); }`;
  const combine = sums
    ? `${gatherPartials(results, sums.perBlock, 'lane')}${treeWgsl(results, wholeTree(LANES), { when: '', store })}
    workgroupBarrier();`
    : '';
  return {
    tables: parts.map(({ tables }) => tables),
    params: {
      ...Object.assign({}, ...parts.map(({ params }) => params)),
      ...(sums ? { groups: 'u32', one: 'f32', ...sumPlaces } : {}),
    },
    buffers: sums ? [{ name: 'partials', type: 'array<vec2u>', access: 'read' }] : [],
    declarations: `
// Values that this workgroup has found.
var<workgroup> passed: array<f32, ${Math.max(1, slots.size)}>;
${sums ? treeMemoryWgsl(wholeTree(LANES), results.length) + combineWgsl(results) : ''}${parts.map(({ declarations }) => declarations).join('\n')}`,
    before: `// Values first: each workgroup finds them, the first one stores them.
  {${combine}
    if (lane == 0u) {
    ${parts.map(({ call }) => call).join('\n    ')}
    }
    workgroupBarrier();
  }`,
  };
}
