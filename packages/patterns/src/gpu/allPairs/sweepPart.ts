import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { OutputTarget } from '../../plan/calls.js';
import type { ParamType } from '../device/GpuKernel.js';
import { addThreads, threadPlaces } from '../kernels/addThreads.js';
import type { FunctorTables } from '../kernels/FunctorTables.js';
import type { KernelPart } from '../kernels/KernelPart.js';
import type { ParticleAccess } from '../kernels/ParticleAccess.js';
import { resultsPart, type Workgroups } from '../kernels/sumsPart.js';
import { type DeviceResult, packedWgsl } from '../wgsl/reduceWgsl.js';
import { readFields } from './callText.js';
import { NO_ROW, packFunction, turnParams } from './packParticles.js';
import { differenceText, nearestText } from './singleWalk.js';
import { TILE } from './TileWalk.js';
import type { TileVariant } from './tileVariant.js';

/** A pair functor that sweeps over all particles, for one kind of box. */
export interface SweepParts {
  readonly functor: Functor<'pair'>;
  readonly names: SweepNames;
  readonly ir: FunctorIR;
  /** Whether it looks at the cutoff itself and has no branches. */
  readonly isFlat: boolean;
  readonly lowered: LoweredWgsl;
  /** Its parameters, named apart from those of others. */
  readonly tables: FunctorTables;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly variant: TileVariant;
  /** Tiles that a workgroup keeps at a time. */
  readonly tiles: number;
  /** Whether these are all. */
  readonly isWhole: boolean;
}

/** Names that no other functor of a kernel has. */
export interface SweepNames {
  /** What those of its parameters begin with. */
  readonly prefix: string;
  /** What those of its functions end with. */
  readonly suffix: string;
  /** What a particle receives, and room for what its threads have found of that. */
  readonly swept: string;
  readonly shares: string;
  /** The square of its cutoff. */
  readonly reach2: string;
  /** What functions of a walk are given of a neighbor, and the function that loads it. */
  readonly neighbor: string;
}

/** @param number of sweeps before it in the kernel. */
export function sweepNames(number: number): SweepNames {
  const which = number || '';
  return {
    prefix: `sweep${which}_`,
    suffix: `_sweep${which}`,
    swept: `swept${which}`,
    shares: `sweepShares${which}`,
    reach2: `sweepReach2${number ? `_${number}` : ''}`,
    neighbor: `neighbor${which}`,
  };
}

const targets = (
  { lowered, outputs }: Pick<SweepParts, 'lowered' | 'outputs'>,
  pattern: RegExp,
): WgslField[] =>
  lowered.fields.i.filter((field) => field.written && pattern.test(outputs[field.field]!));

/** What goes to particles, and to totals. */
export const sweepFields = (parts: Pick<SweepParts, 'lowered' | 'outputs'>) => ({
  particles: targets(parts, /^(particles|both)$/),
  totals: targets(parts, /^(total|both)$/),
});

/** The totals of a sweep, in the order of the functor. */
export const sweepResults = (parts: Pick<SweepParts, 'lowered' | 'outputs'>): DeviceResult[] =>
  sweepFields(parts).totals.map(({ field, type }) => ({
    name: field,
    type: type as 'f32',
    op: 'sum',
  }));

/**
 * All pairs of a few particles within one kernel. Each workgroup packs all particles, so that nothing
 * has to be packed before: with what the functor reads of neighbors, all of them at once if its memory has room. Threads that share a
 * particle take every other neighbor.
 *
 *            rows
 *   thread 0  ░ ░ ░ ░ ░ ░ ░ ░ …       near ones are marked first, then the functor is called for these
 *   thread 1   ░ ░ ░ ░ ░ ░ ░ ░…
 *
 * Shares are added in a fixed order, and totals in a tree over the particles: the outcome is the same in any kernel with as many
 * threads a particle. After a fault no sum is a number.
 *
 * @param lanes threads a particle; where there are several, `thread` is which. The number of the particle is in `own`.
 */
export function sweepPart(
  parts: SweepParts,
  access: ParticleAccess,
  lanes: number,
  workgroups: Workgroups,
): Partial<KernelPart> {
  const { lowered, tables, variant } = parts;
  access.use('position');
  const { particles: fields, totals: summed } = sweepFields(parts);
  const results = sweepResults(parts);
  const ends = resultsPart(results, workgroups);
  const read = lowered.fields.i.filter((field) => !field.written);
  const load = [access.loadRows(read, 'mine', 'sweepRow')];
  for (const field of read) load.push(`swept.${field.member} = ${access.value(field, 'mine')};`);
  const written = lowered.fields.i.filter((field) => field.written);
  return {
    params: { ...turnParams, ...sweepParams, ...tables.params },
    buffers: ends.buffers ?? [],
    declarations: `
var<workgroup> sweepTile: array<vec4u, ${TILE * parts.tiles}>;
${readFields(lowered)
  .map((field) => `var<workgroup> ${keptName(field)}: array<${field.type}, ${TILE * parts.tiles}>;`)
  .join('\n')}
var<workgroup> sweepFault: atomic<u32>;
${lanes > 1 ? `var<workgroup> sweepShares: array<array<f32, ${written.length}>, ${threadPlaces(lanes)}>;` : ''}
${ends.declarations ?? ''}
// Pair functor ${parts.functor.name}, for all pairs.
${lowered.structs}
${lowered.functions}
${callKept(lowered)}
${differenceText(variant)}
${nearestText(variant)}
${packFunction('sweepPacked', 'atomicStore(&sweepFault, 1u);')}
// The packed particle of a row, or padding.
fn sweepMember(row: u32, place: vec4u) -> vec4u {
  if (row >= P.particles) { return vec4u(0u, 0u, 0u, ${NO_ROW}u); }
  return sweepPacked(row, place);
}`,
    fields,
    results,
    before: `
  // Meet all particles.
  ${variant.strain ? 'holdStrain();' : ''}
  let sweepRow = min(own, P.particles - 1u);
  var swept = ${lowered.name}_i();
  ${load.join('\n  ')}
  ${parts.isWhole ? wholeText(keepText(parts, access, '0u'), meetText(lanes, parts.tiles)) : roundsText(keepText(parts, access, 'begin'), meetText(lanes, parts.tiles), parts.tiles)}
  ${lanes > 1 ? sharesText(written, lanes) : ''}
  let sweepBroken = select(0.0, bitcast<f32>(P.sweepNan), atomicLoad(&sweepFault) != 0u);
  ${ends.before ?? ''}
  `,
    particle: [
      `// ${parts.functor.name}: what the particle received.`,
      ...fields.map((field) => access.add(field, 'row', `swept.${field.member} + sweepBroken`)),
      ...summed.map(
        ({ member }, k) =>
          `own_${k} = ${packedWgsl(results[k]!, `(swept.${member} + sweepBroken)`)};`,
      ),
    ].join('\n    '),
    workgroup: ends.workgroup ?? '',
  };
}

/** Workgroup memory of what the functor reads of neighbors. */
const keptName = ({ member }: WgslField): string => `sweep_of_${member}`;

/** The functor with the attributes of the neighbor at a place of workgroup memory. */
const callKept = (lowered: LoweredWgsl): string => `
fn call_sweep(i: ptr<function, ${lowered.name}_i>, d: vec4f, at: u32) {
  var j: ${lowered.name}_j;
  ${readFields(lowered)
    .map((field) => `j.${field.member} = ${keptName(field)}[at];`)
    .join('\n  ')}
  ${lowered.name}(i, j, d);
}`;

/** Statements that keep the particles from row `begin` on: all loads are under way before the first is looked at. */
function keepText({ lowered, tiles }: SweepParts, access: ParticleAccess, begin: string): string {
  const fields = readFields(lowered);
  const all = Array.from({ length: tiles }, (_, k) => k);
  const load = all.map(
    (k) => `let row${k} = ${begin} + ${TILE * k}u + lane;
    let at${k} = min(row${k}, P.particles - 1u);
    let place${k} = b_position[at${k}];
    ${access.loadRows(fields, `other${k}`, `at${k}`)}`,
  );
  const keep = all.map(
    (k) => `sweepTile[lane + ${TILE * k}u] = sweepMember(row${k}, place${k});
    ${fields.map((field) => `${keptName(field)}[lane + ${TILE * k}u] = ${access.value(field, `other${k}`)};`).join('\n    ')}`,
  );
  return `{
    ${[...load, ...keep].join('\n    ')}
  }`;
}

const wholeText = (keep: string, meet: string): string => `${keep}
  workgroupBarrier();
  let sweepOwn = sweepTile[sweepRow];
  ${meet}`;

const roundsText = (
  keep: string,
  meet: string,
  tiles: number,
): string => `let sweepOwn = sweepPacked(sweepRow, b_position[sweepRow]);
  for (var left = P.sweepRounds; left > 0u; left--) {
    let begin = (P.sweepRounds - left) * ${TILE * tiles}u;
    workgroupBarrier();
    ${keep}
    workgroupBarrier();
    ${meet}
  }`;

/** Neighbors that a thread marks at a time: as many as a word has bits. */
const MARKS = 32;

/** What a thread does with particles that are kept. */
function meetText(lanes: number, tiles: number): string {
  const each = (TILE * tiles) / lanes;
  let runs = Math.ceil(each / MARKS);
  while (each % runs !== 0) runs++;
  const together = each / runs;
  const first = lanes > 1 ? 'thread' : '0u';
  return `for (var run = ${runs}u; run > 0u; run--) {
      let start = ${first} + (${runs}u - run) * ${lanes * together}u;
      var near = 0u;
      for (var more = ${together}u; more > 0u; more--) {
        let k = ${together}u - more;
        let other = sweepTile[start + ${lanes}u * k];
        let d = nearest(difference(sweepOwn.xyz - other.xyz));
        let isNear = dot(d, d) < P.sweepReach2 && other.w != sweepOwn.w && other.w != ${NO_ROW}u;
        near |= select(0u, 1u << k, isNear);
      }
      for (var some = countOneBits(near); some > 0u; some--) {
        let at = start + ${lanes}u * firstTrailingBit(near);
        near &= near - 1u;
        let d = nearest(difference(sweepOwn.xyz - sweepTile[at].xyz));
        call_sweep(&swept, vec4f(d, dot(d, d)), at);
      }
    }`;
}

/** Adds what the other threads of the particle have found. */
const sharesText = (written: readonly WgslField[], lanes: number): string =>
  addThreads(lanes, {
    leave: (place) =>
      written
        .map(({ member }, n) => `sweepShares[${place}][${n}] = swept.${member};`)
        .join('\n    '),
    add: (place) =>
      written
        .map(({ member }, n) => `swept.${member} += sweepShares[${place}][${n}];`)
        .join('\n      '),
  });

/** Bytes of workgroup memory for a neighbor. */
export const rowBytes = (lowered: LoweredWgsl): number => 16 + 4 * readFields(lowered).length;

const sweepParams: Record<string, ParamType> = {
  e0: 'vec4f',
  e1: 'vec4f',
  e2: 'vec4f',
  inner2: 'f32',
  sweepReach2: 'f32',
  sweepRounds: 'u32',
  sweepNan: 'u32',
  particles: 'u32',
};
