import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { OutputTarget } from '../../plan/calls.js';
import type { ParamType } from '../device/GpuKernel.js';
import { realsOf } from '../double/DeviceReals.js';
import { plainSums } from '../double/PairSums.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import { type KernelPart, treeOf } from '../pattern/KernelPart.js';
import type { ParticleAccess } from '../pattern/ParticleAccess.js';
import { resultsPart, type Workgroups } from '../pattern/sumsPart.js';
import { type DeviceResult, packedWgsl } from '../wgsl/reduceWgsl.js';
import { treeBytes } from '../wgsl/treeWgsl.js';
import { callText, readFields } from './callText.js';
import { NO_ROW, packFunction, turnParams } from './packParticles.js';
import { differenceText, nearestText } from './singleWalk.js';
import { TILE } from './TileWalk.js';
import type { TileVariant } from './tileVariant.js';

/** A pair functor that sweeps over all particles, for one kind of box. */
export interface SweepParts {
  readonly functor: Functor<'pair'>;
  readonly ir: FunctorIR;
  readonly lowered: LoweredWgsl;
  /** Its parameters, named apart from those of others by `SWEEP`. */
  readonly tables: FunctorTables;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly variant: TileVariant;
}

/** What names of a sweep begin or end with in a kernel that does other things too. */
export const SWEEP = 'sweep_';

/** Names that another functor in the kernel cannot have. */
export const SWEEP_SUFFIX = '_sweep';

const targets = (
  { lowered, outputs }: Pick<SweepParts, 'lowered' | 'outputs'>,
  pattern: RegExp,
): WgslField[] =>
  lowered.fields.i.filter((field) => field.written && pattern.test(outputs[field.field]!));

/** The totals of a sweep, in the order of the functor. */
export const sweepResults = (parts: Pick<SweepParts, 'lowered' | 'outputs'>): DeviceResult[] =>
  targets(parts, /^(total|both)$/).map(({ field, type }) => ({
    name: field,
    type: type as 'f32',
    op: 'sum',
  }));

/**
 * All pairs of a few particles within one kernel, beside whatever else it does. Each workgroup packs all particles, tile by tile, so
 * that nothing has to be packed before; threads that share a particle take every other neighbor of a tile.
 *
 *            tile 0    tile 1    …
 *   share 0  ░ ░ ░ ░ │ ░ ░ ░ ░ │ …       near ones are marked first, then the functor is called for these
 *   share 1   ░ ░ ░ ░│  ░ ░ ░ ░│ …
 *
 * Shares are added in a fixed order, and totals in a tree over the particles: the outcome is the same in any kernel with as many
 * threads a particle. After a fault no sum is a number.
 *
 * @param lanes threads a particle; where there are several, `share` is which. The number of the particle is in `own`.
 */
export function sweepPart(
  parts: SweepParts,
  access: ParticleAccess,
  lanes: number,
  workgroups: Workgroups,
): Partial<KernelPart> {
  const { lowered, tables, variant } = parts;
  access.use('position');
  const fields = targets(parts, /^(particles|both)$/);
  const summed = targets(parts, /^(total|both)$/);
  const results = sweepResults(parts);
  const ends = resultsPart(results, workgroups);
  const read = lowered.fields.i.filter((field) => !field.written);
  const load = [access.loadRows(read, 'mine', 'sweepRow')];
  for (const field of read) load.push(`swept.${field.member} = ${access.value(field, 'mine')};`);
  const written = lowered.fields.i.filter((field) => field.written);
  access.loadRows(readFields(lowered), 'other', 'jrow');
  return {
    params: { ...turnParams, ...sweepParams, ...tables.params },
    buffers: ends.buffers ?? [],
    declarations: `
var<workgroup> sweepTile: array<vec4u, ${TILE}>;
var<workgroup> sweepFault: atomic<u32>;
${lanes > 1 ? `var<workgroup> sweepShares: array<array<f32, ${written.length}>, ${TILE - TILE / lanes}>;` : ''}
${ends.declarations ?? ''}
// Pair functor ${parts.functor.name}, for all pairs.
${lowered.structs}
${lowered.functions}
${callText({ reals: realsOf.f32 }, lowered, access, plainSums(lowered), SWEEP_SUFFIX)}
${differenceText(variant)}
${nearestText(variant)}
${packFunction('sweepPacked', 'atomicStore(&sweepFault, 1u);')}
// The packed particle of a row, or padding.
fn sweepMember(row: u32) -> vec4u {
  if (row >= P.particles) { return vec4u(0u, 0u, 0u, ${NO_ROW}u); }
  return sweepPacked(row);
}`,
    fields,
    results,
    before: `
  // Meet all particles, tile by tile.
  let sweepRow = min(own, P.particles - 1u);
  let sweepOwn = sweepPacked(sweepRow);
  var swept: ${lowered.name}_i;
  ${load.join('\n  ')}
  for (var left = P.sweepTiles; left > 0u; left--) {
    workgroupBarrier();
    sweepTile[lane] = sweepMember((P.sweepTiles - left) * ${TILE}u + lane);
    workgroupBarrier();
    ${tileText(lanes)}
  }
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

/** Neighbors of a tile that a thread marks at a time: as many as a word has bits. */
const MARKS = 32;

/** What a thread does with a tile that is loaded. */
function tileText(lanes: number): string {
  const each = TILE / lanes;
  const together = Math.min(MARKS, each);
  const first = lanes > 1 ? 'share' : '0u';
  return `for (var run = ${each / together}u; run > 0u; run--) {
      let start = ${first} + (${each / together}u - run) * ${lanes * together}u;
      var near = 0u;
      for (var more = ${together}u; more > 0u; more--) {
        let k = ${together}u - more;
        let other = sweepTile[start + ${lanes}u * k];
        let d = nearest(difference(sweepOwn.xyz - other.xyz));
        let isNear = dot(d, d) < P.sweepReach2 && other.w != sweepOwn.w && other.w != ${NO_ROW}u;
        near |= select(0u, 1u << k, isNear);
      }
      for (var some = countOneBits(near); some > 0u; some--) {
        let other = sweepTile[start + ${lanes}u * firstTrailingBit(near)];
        near &= near - 1u;
        let d = nearest(difference(sweepOwn.xyz - other.xyz));
        call${SWEEP_SUFFIX}(&swept, vec4f(d, dot(d, d)), other.w);
      }
    }`;
}

/** Adds what the other threads of the particle have found, always in the same order. */
function sharesText(written: readonly WgslField[], lanes: number): string {
  const step = TILE / lanes;
  const put = written.map(
    ({ member }, n) => `sweepShares[lane - ${step}u][${n}] = swept.${member};`,
  );
  const add = written.map(({ member }, n) => `swept.${member} += sweepShares[other][${n}];`);
  return `// Add what the other threads of the particle have met, in a fixed order.
  if (share > 0u) {
    ${put.join('\n    ')}
  }
  workgroupBarrier();
  if (share == 0u) {
    for (var s = 0u; s < ${lanes - 1}u; s++) {
      let other = s * ${step}u + lane;
      ${add.join('\n      ')}
    }
  }`;
}

/** Bytes of workgroup memory of a sweep: tile, shares, tree of totals. */
export const sweepBytes = (parts: SweepParts, lanes: number): number =>
  16 * TILE +
  4 +
  4 * parts.lowered.fields.i.filter(({ written }) => written).length * (TILE - TILE / lanes) +
  treeBytes(treeOf(lanes), sweepResults(parts).length);

const sweepParams: Record<string, ParamType> = {
  e0: 'vec4f',
  e1: 'vec4f',
  e2: 'vec4f',
  inner2: 'f32',
  sweepReach2: 'f32',
  sweepTiles: 'u32',
  sweepNan: 'u32',
  particles: 'u32',
};
