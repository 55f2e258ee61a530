import type { WgslField } from '@corpuscle/functor/wgsl';
import { threadPlaces } from '../kernels/addThreads.js';
import type { KernelPart } from '../kernels/KernelPart.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { resultsPart, type Workgroups } from '../kernels/sumsPart.js';
import { type DeviceResult, packedWgsl } from '../wgsl/reduceWgsl.js';
import { readFields } from './callText.js';
import { type SweepParts, sweepFields, sweepResults } from './sweepPart.js';

/** Pair functors that sweep over all pairs, as part of a pair kernel whose lists have all that are near enough. */
export interface ListedSweeps extends Partial<KernelPart> {
  readonly fields: readonly WgslField[];
  /** Statements that load what they read of the particle. */
  readonly load: string;
  /** What functions of the walk are given and take for them. */
  readonly argument: string;
  readonly parameter: string;
  /** Statements that load what they read of a neighbor, which is on the way while positions are. @param place which of four it is */
  neighbor(place: string, row: string): string;
  /** That as further arguments and parameters of functions of the walk. */
  neighborArgument(place: string): string;
  readonly neighborParameter: string;
  /** Statements of the walk for a neighbor at `d`, whose squared distance is `r2`. */
  readonly meet: string;
  /** How a thread adds what another of its particle has found. @param place in workgroup memory */
  leave(place: string): string;
  add(place: string): string;
}

/** Bytes of workgroup memory for what threads of a particle have found. */
export const listedBytes = ({ lowered }: SweepParts, lanes: number): number =>
  4 * lowered.fields.i.filter(({ written }) => written).length * threadPlaces(lanes);

/** @param sweeps one at least, numbered in their order. @param lanes threads that share a particle. */
export function listedSweeps(
  sweeps: readonly SweepParts[],
  access: ParticleAccess,
  lanes: number,
  workgroups: Workgroups,
): ListedSweeps {
  const results = sweeps.flatMap(sweepResults);
  const ends = resultsPart(results, workgroups);
  let first = 0;
  const each = sweeps.map((parts) => {
    const own = listedSweep(parts, access, lanes, { results, first });
    first += sweepResults(parts).length;
    return own;
  });
  const texts = (textOf: (one: ListedSweep) => string, between: string) =>
    each.map(textOf).join(between);
  return {
    params: Object.assign({}, ...each.map(({ params }) => params)),
    buffers: ends.buffers ?? [],
    declarations: `${texts(({ shares }) => shares, '')}
${ends.declarations ?? ''}
${texts(({ functions }) => functions, '\n')}`,
    fields: each.flatMap(({ fields }) => fields),
    results,
    before: `${texts(({ before }) => before, '\n  ')}
  ${ends.before ?? ''}`,
    particle: texts(({ particle }) => particle, '\n    '),
    workgroup: ends.workgroup ?? '',
    load: texts(({ load }) => load, '\n    '),
    argument: texts(({ argument }) => argument, ''),
    parameter: texts(({ parameter }) => parameter, ''),
    neighbor: (place, row) => texts((one) => one.neighbor(place, row), ' '),
    neighborArgument: (place) => texts((one) => one.neighborArgument(place), ''),
    neighborParameter: texts(({ neighborParameter }) => neighborParameter, ''),
    meet: texts(({ meet }) => meet, '\n  '),
    leave: (place) => texts((one) => one.leave(place), ' '),
    add: (place) => texts((one) => one.add(place), '\n      '),
  };
}

type ListedSweep = ReturnType<typeof listedSweep>;

/** One of them. @param found all results of the kernel's sweeps, and how many of them are of sweeps before it */
function listedSweep(
  { names, lowered, tables, functor, isFlat, ...parts }: SweepParts,
  access: ParticleAccess,
  lanes: number,
  found: { readonly results: readonly DeviceResult[]; readonly first: number },
) {
  const { swept, shares, neighbor } = names;
  const call = `${lowered.name}(${swept}, ${neighbor}, vec4f(d, r2));`;
  const { particles: fields, totals } = sweepFields({ lowered, ...parts });
  const written = lowered.fields.i.filter((field) => field.written);
  const read = lowered.fields.i.filter((field) => !field.written);
  const others = readFields(lowered);
  const mine = `mine${names.suffix}`;
  const load = [access.loadRows(read, mine, 'own')];
  for (const field of read) load.push(`${swept}.${field.member} = ${access.value(field, mine)};`);
  const total = ({ member }: WgslField, k: number) =>
    `own_${found.first + k} = ${packedWgsl(found.results[found.first + k]!, `${swept}.${member}`)};`;
  return {
    params: { ...tables.params, ...(isFlat ? {} : { [names.reach2]: 'f32' as const }) },
    fields,
    shares:
      lanes > 1
        ? `
var<workgroup> ${shares}: array<array<f32, ${written.length}>, ${threadPlaces(lanes)}>;`
        : '',
    functions: `// Pair functor ${functor.name}, for the near ones of all pairs.
${lowered.structs}
${lowered.functions}
fn ${neighbor}Of(row: u32) -> ${lowered.name}_j {
  ${access.loadRows(others, 'other', 'row')}
  var j: ${lowered.name}_j;
  ${others.map((field) => `j.${field.member} = ${access.value(field, 'other')};`).join('\n  ')}
  return j;
}`,
    before: `var ${swept} = ${lowered.name}_i();`,
    particle: [
      `// ${functor.name}: what the particle received.`,
      ...fields.map((field) => access.add(field, 'row', `${swept}.${field.member}`)),
      ...totals.map(total),
    ].join('\n    '),
    load: load.join('\n    '),
    argument: `&${swept}, `,
    parameter: `${swept}: ptr<function, ${lowered.name}_i>, `,
    neighbor: (place: string, row: string) => `let ${neighbor}_${place} = ${neighbor}Of(${row});`,
    neighborArgument: (place: string) => `, ${neighbor}_${place}`,
    neighborParameter: `, ${neighbor}: ${lowered.name}_j`,
    meet: isFlat ? call : `if (r2 < P.${names.reach2}) { ${call} }`,
    leave: (place: string) =>
      written.map(({ member }, n) => `${shares}[${place}][${n}] = ${swept}.${member};`).join(' '),
    add: (place: string) =>
      written
        .map(({ member }, n) => `${swept}.${member} += ${shares}[${place}][${n}];`)
        .join('\n      '),
  };
}
