import type { WgslField } from '@corpuscle/functor/wgsl';
import { threadPlaces } from '../kernels/addThreads.js';
import type { KernelPart } from '../kernels/KernelPart.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { resultsPart, type Workgroups } from '../kernels/sumsPart.js';
import { packedWgsl } from '../wgsl/reduceWgsl.js';
import { readFields } from './callText.js';
import { type SweepParts, sweepFields, sweepResults } from './sweepPart.js';

/** A pair functor that sweeps over all pairs, as part of a pair kernel whose lists have all that are near enough. */
export interface ListedSweep extends Partial<KernelPart> {
  readonly fields: readonly WgslField[];
  /** Statements that load what it reads of the particle. */
  readonly load: string;
  /** What functions of the walk are given and take for it. */
  readonly argument: string;
  readonly parameter: string;
  /** An expression with what it reads of a neighbor, which is on the way while positions are, and its type. */
  neighbor(row: string): string;
  readonly neighborType: string;
  /** A statement of the walk for `neighbor` at `d`, whose squared distance is `r2`. */
  readonly meet: string;
  /** How a thread adds what another of its particle has found. @param place in workgroup memory */
  leave(place: string): string;
  add(place: string): string;
}

/** Bytes of workgroup memory for what threads of a particle have found. */
export const listedBytes = ({ lowered }: SweepParts, lanes: number): number =>
  4 * lowered.fields.i.filter(({ written }) => written).length * threadPlaces(lanes);

/** @param lanes threads that share a particle. */
export function listedSweep(
  parts: SweepParts,
  access: ParticleAccess,
  lanes: number,
  workgroups: Workgroups,
): ListedSweep {
  const { lowered, tables, functor, isFlat } = parts;
  const call = `${lowered.name}(swept, neighbor, vec4f(d, r2));`;
  const { particles: fields, totals: summed } = sweepFields(parts);
  const results = sweepResults(parts);
  const ends = resultsPart(results, workgroups);
  const written = lowered.fields.i.filter((field) => field.written);
  const read = lowered.fields.i.filter((field) => !field.written);
  const others = readFields(lowered);
  const load = [access.loadRows(read, 'mine', 'own')];
  for (const field of read) load.push(`swept.${field.member} = ${access.value(field, 'mine')};`);
  return {
    params: { ...tables.params, ...(isFlat ? {} : { sweepReach2: 'f32' }) },
    buffers: ends.buffers ?? [],
    declarations: `
${lanes > 1 ? `var<workgroup> sweepShares: array<array<f32, ${written.length}>, ${threadPlaces(lanes)}>;` : ''}
${ends.declarations ?? ''}
// Pair functor ${functor.name}, for the near ones of all pairs.
${lowered.structs}
${lowered.functions}
fn neighborOfSweep(row: u32) -> ${lowered.name}_j {
  ${access.loadRows(others, 'other', 'row')}
  var j: ${lowered.name}_j;
  ${others.map((field) => `j.${field.member} = ${access.value(field, 'other')};`).join('\n  ')}
  return j;
}`,
    fields,
    results,
    before: `var swept = ${lowered.name}_i();
  ${ends.before ?? ''}`,
    particle: [
      `// ${functor.name}: what the particle received.`,
      ...fields.map((field) => access.add(field, 'row', `swept.${field.member}`)),
      ...summed.map(({ member }, k) => `own_${k} = ${packedWgsl(results[k]!, `swept.${member}`)};`),
    ].join('\n    '),
    workgroup: ends.workgroup ?? '',
    load: load.join('\n    '),
    argument: '&swept, ',
    parameter: `swept: ptr<function, ${lowered.name}_i>, `,
    neighbor: (row) => `neighborOfSweep(${row})`,
    neighborType: `${lowered.name}_j`,
    meet: isFlat ? call : `if (r2 < P.sweepReach2) { ${call} }`,
    leave: (place) =>
      written.map(({ member }, n) => `sweepShares[${place}][${n}] = swept.${member};`).join(' '),
    add: (place) =>
      written
        .map(({ member }, n) => `swept.${member} += sweepShares[${place}][${n}];`)
        .join('\n      '),
  };
}
