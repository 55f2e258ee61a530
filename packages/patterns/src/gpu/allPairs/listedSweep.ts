import type { WgslField } from '@corpuscle/functor/wgsl';
import type { DeviceReals } from '../double/DeviceReals.js';
import { plainSums } from '../double/PairSums.js';
import { threadPlaces } from '../kernels/addThreads.js';
import type { KernelPart } from '../kernels/KernelPart.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { resultsPart, type Workgroups } from '../kernels/sumsPart.js';
import { packedWgsl } from '../wgsl/reduceWgsl.js';
import { callText } from './callText.js';
import { SWEEP_SUFFIX, type SweepParts, sweepFields, sweepResults } from './sweepPart.js';

/** A pair functor that sweeps over all pairs, as part of a pair kernel whose lists have all that are near enough. */
export interface ListedSweep extends Partial<KernelPart> {
  readonly fields: readonly WgslField[];
  /** Statements that load what it reads of the particle. */
  readonly load: string;
  /** What functions of the walk are given and take for it. */
  readonly argument: string;
  readonly parameter: string;
  /** Statements of the walk for a neighbor at `d`, whose squared distance is `r2`. */
  meet(row: string): string;
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
  reals: DeviceReals,
  lanes: number,
  workgroups: Workgroups,
): ListedSweep {
  const { lowered, tables, functor } = parts;
  const { particles: fields, totals: summed } = sweepFields(parts);
  const results = sweepResults(parts);
  const ends = resultsPart(results, workgroups);
  const written = lowered.fields.i.filter((field) => field.written);
  const read = lowered.fields.i.filter((field) => !field.written);
  const load = [access.loadRows(read, 'mine', 'own')];
  for (const field of read) load.push(`swept.${field.member} = ${access.value(field, 'mine')};`);
  return {
    params: { ...tables.params, sweepReach2: 'f32' },
    buffers: ends.buffers ?? [],
    declarations: `
${lanes > 1 ? `var<workgroup> sweepShares: array<array<f32, ${written.length}>, ${threadPlaces(lanes)}>;` : ''}
${ends.declarations ?? ''}
// Pair functor ${functor.name}, for the near ones of all pairs.
${lowered.structs}
${lowered.functions}
${callText({ reals }, lowered, access, plainSums(lowered), SWEEP_SUFFIX)}`,
    fields,
    results,
    before: `var swept: ${lowered.name}_i;
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
    meet: (row) => `if (r2 < P.sweepReach2) { call${SWEEP_SUFFIX}(swept, vec4f(d, r2), ${row}); }`,
    leave: (place) =>
      written.map(({ member }, n) => `sweepShares[${place}][${n}] = swept.${member};`).join(' '),
    add: (place) =>
      written
        .map(({ member }, n) => `swept.${member} += sweepShares[${place}][${n}];`)
        .join('\n      '),
  };
}
