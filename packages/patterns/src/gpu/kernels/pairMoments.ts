import type { FunctorIR } from '@corpuscle/functor/ir';
import { parity, sumOutputs } from '@corpuscle/functor/passes';
import type { PairCall } from '../../plan/calls.js';
import { type Moment, momentsOf } from '../../plan/moments.js';
import { type EntryFormat, isImageWgsl } from '../neighbors/EntryFormat.js';
import { type DeviceResult, packedWgsl } from '../wgsl/reduceWgsl.js';

/** Totals of a call over full lists that its kernel can find without work for each pair. */
export function pairMoments(
  { functor, outputs }: Pick<PairCall, 'functor' | 'outputs'>,
  ir: FunctorIR,
): Moment[] {
  const isSum = [...sumOutputs(ir).values()].every((kind) => kind === 'sum');
  if (!functor.traits.newton3 || functor.spec.wgsl !== undefined || !isSum) return [];
  const parities = parity(ir);
  const wanted = Object.entries(outputs).map(([field, target]) => {
    const place = /^(particles|both)$/.test(target) ? field : null;
    return { field, place, parity: parities.get(field) ?? 'even' };
  });
  return momentsOf(
    functor.spec,
    wanted.filter(({ field }) => outputs[field] !== 'none'),
  );
}

/** Parts of the text of a pair kernel that find moments; empty where there are none. */
export interface MomentsText {
  readonly declarations: string;
  /** Of a thread, before its particle. */
  readonly begin: string;
  /** Around a call of the functor with `i`, a pointer, for a neighbor whose image is so many `cells` away. */
  readonly before: string;
  readonly after: string;
  /** How a thread adds what another of its particle has found in images. @param place in workgroup memory */
  readonly leave: (place: string) => string;
  readonly add: (place: string) => string;
  /** Of a particle, before its totals. */
  readonly particle: string;
  readonly totals: readonly (readonly [DeviceResult, string])[];
}

interface MomentsPlace {
  readonly isStrained: boolean;
  /** Whether each length of the box, as it is strained, lies along one axis. */
  readonly isDiagonal: boolean;
  /** How entries of lists tell images. */
  readonly format: EntryFormat;
  readonly places: number;
}

/**
 * Positions are counted from the middle of the box, where the box is strained in the strained one: numbers stay small, and single
 * precision loses no more than in the distances of pairs. Where the box is diagonal, images are counted in cells, whose lengths
 * come in at the end.
 *
 * @param memberOf the member of `i` that has a field. @param places of workgroup memory.
 */
export function momentsText(
  moments: readonly Moment[],
  memberOf: (field: string) => string,
  { isStrained, isDiagonal, format, places }: MomentsPlace,
): MomentsText {
  const nothing = () => '';
  if (moments.length === 0)
    return {
      ...{ declarations: '', begin: '', before: '', after: '', leave: nothing, add: nothing },
      ...{ particle: '', totals: [] },
    };
  const sources = [...new Set(moments.map(({ of }) => of))];
  const gained = (of: string) => `gained${sources.indexOf(of)}`;
  const inBox = (d: string) => (isStrained ? `strained(${d})` : d);
  const shift = isDiagonal ? 'cells' : 'shift';
  const shares =
    places > 0
      ? `\nvar<workgroup> threadImageSums: array<array<f32, ${moments.length}>, ${places}>;`
      : '';
  return {
    declarations: `
// Totals of d times what a particle receives are found from positions, and for images from how far these are away.
var<private> ofImages: array<f32, ${moments.length}>;${shares}
fn fromMiddle(q: vec4u) -> vec3f {
  let cell = (cellParts(q.w) - vec3f(8388608.0)) * vec3f(1.0, 0.0009765625, 1.0);
  return ${inBox('relative(q) + cellVectorOf(cell - vec3f(P.dims.xyz / 2))')};
}
fn shiftOf(cells: vec3f) -> vec3f { return ${inBox('cellVectorOf(cells * vec3f(1.0, 0.0009765625, 1.0))')}; }`,
    begin: `ofImages = array<f32, ${moments.length}>();`,
    before: sources.map((of) => `let ${gained(of)} = (*i).${memberOf(of)};`).join(' '),
    after: [
      `if (${isImageWgsl(format, 'cells')}) {`,
      ...(isDiagonal ? [] : ['let shift = shiftOf(cells);']),
      ...moments.map(
        ({ of, along }, k) =>
          `ofImages[${k}] += ${shift}.${along} * ((*i).${memberOf(of)} - ${gained(of)});`,
      ),
      '}',
    ].join('\n    '),
    leave: (place) => `threadImageSums[${place}] = ofImages;`,
    add: (place) =>
      moments.map((_, k) => `ofImages[${k}] += threadImageSums[${place}][${k}];`).join('\n      '),
    particle: `let middle = fromMiddle(b_position[own]);${isDiagonal ? ' let lengths = shiftOf(vec3f(1.0));' : ''}`,
    totals: moments.map(({ field, of, along, factor }, k) => {
      const total: DeviceResult = { name: field, type: 'f32', op: 'sum' };
      const images = `${isDiagonal ? `lengths.${along} * ` : ''}ofImages[${k}]`;
      const sum = `${factor} * (2.0 * middle.${along} * i.${memberOf(of)} + ${images})`;
      return [total, packedWgsl(total, `(${sum})`)] as const;
    }),
  };
}
