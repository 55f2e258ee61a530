import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import type { LoweredWgsl, WgslField } from '@corpuscle/functor/wgsl';
import type { OutputTarget } from '../../plan/calls.js';
import type { KernelBuffer, KernelSource, ParamType } from '../device/GpuKernel.js';
import { type DeviceReals, realText, realType } from '../double/DeviceReals.js';
import { gatheredSums, plainSums } from '../double/PairSums.js';
import type { FunctorTables } from '../kernels/FunctorTables.js';
import { ParticleAccess } from '../kernels/ParticleAccess.js';
import { combineWgsl, type DeviceResult, packedWgsl } from '../wgsl/reduceWgsl.js';
import { partialsEnd, treeMemoryWgsl, treeWgsl, wholeTree } from '../wgsl/treeWgsl.js';
import { callText, readFields } from './callText.js';
import { doubleWalk } from './doubleWalk.js';
import { gatherText } from './gatherSource.js';
import { refuseOutputs } from './refuseOutputs.js';
import { singleWalk } from './singleWalk.js';
import { TILE, type TileWalk } from './TileWalk.js';
import type { TileVariant } from './tileVariant.js';

export interface TileRequest {
  readonly functor: Functor<'pair'>;
  readonly ir: FunctorIR;
  readonly lowered: LoweredWgsl;
  /** See `lightFunctor`. */
  readonly light: LoweredWgsl | null;
  readonly tables: FunctorTables;
  readonly grid: Grid;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly variant: TileVariant;
  readonly reals: DeviceReals;
}

/** The kernel that meets all pairs, and the one that adds its partial sums to the particles. */
export interface TileText {
  readonly tiles: KernelSource;
  readonly tileBlocks: readonly { name: string; written: boolean }[];
  readonly gather: KernelSource;
  readonly gatherBlocks: readonly { name: string; written: boolean }[];
  readonly totals: readonly DeviceResult[];
  /** Outputs that go to particles, in the order of their partial sums. */
  readonly stored: number;
}

/** What the kernel does, stage by stage. */
const aboutTiles = (
  name: string,
): string => `Calls pair functor '${name}' for all pairs of two sets within the cutoff, without lists.
  tile      a workgroup loads packed neighbors, which all its lanes look at
  near      distance to the nearest image; most pairs end here
  call      the functor for those within the cutoff
  store     sums of this part of the neighbors; another kernel adds up the parts`;

/**
 * One thread a central particle, tiles of neighbors in workgroup memory, and the tiles shared out over several
 * workgroups where there are few central particles:
 *
 *            tile 0   tile 1 │ tile 2   tile 3 │ …
 *   group 0  ░░░░░░░░░░░░░░░ │ ░░░░░░░░░░░░░░░ │        split 0 │ split 1 │ …
 *   group 1  ░░░░░░░░░░░░░░░ │                          partial[(split · outputs + output) · centrals + central]
 *
 * Where pairs are listed, a thread walks the list of its particle instead.
 *
 * Beyond the cutoff a pair costs its distance; the functor is skipped where all threads that run together may skip it.
 * Sums are taken over a tile, then over a split, then over splits; totals are compensated from there on. Where the state is
 * double-single, so are all sums, from the pair on. After a fault none is a number.
 */
export function tileText(request: TileRequest): TileText {
  const { functor, lowered, tables, grid, outputs, variant, reals } = request;
  const light = reals.state === 'f64' ? null : request.light;
  const written = lowered.fields.i.filter((field) => field.written);
  refuseOutputs(request, written);
  const goesTo = (pattern: RegExp) => (field: WgslField) => pattern.test(outputs[field.field]!);
  const stored = written.filter(goesTo(/^(particles|both)$/));
  const summed = written.filter(goesTo(/^(total|both)$/));
  const sums = reals.state === reals.pair ? plainSums(lowered) : gatheredSums(lowered);
  const type = realType(reals.state);
  const totals = summed.map(({ field }): DeviceResult => ({ name: field, type, op: 'sum' }));
  const walk =
    reals.state === 'f64'
      ? doubleWalk({ lowered, written, light }, variant, reals, sums)
      : singleWalk({ lowered, written, light }, variant);
  const access = new ParticleAccess(grid, reals.state);
  const read = lowered.fields.i.filter((field) => !field.written);
  const load = [access.loadRows(read, 'row', 'own.w')];
  for (const field of read) load.push(`i.${field.member} = ${access.value(field, 'row')};`);
  if (light) {
    load.push(`var light: ${light.name}_i;`);
    for (const { member, written } of light.fields.i)
      if (!written) load.push(`light.${member} = i.${member};`);
  }
  access.loadRows(readFields(lowered), 'other', 'jrow');
  if (access.blocks.some(({ name }) => name === 'position'))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' reads positions, which all pairs on the GPU do not have at hand: use the difference d`,
    );
  const hasTotals = totals.length > 0;
  const buffers = [
    ...access.buffers,
    ...tileBuffers(request, { type, stores: stored.length > 0, hasTotals }),
  ];
  const broken = type === 'f32' ? 'broken' : 'vec2f(broken, 0.0)';
  const own = totals.map((total, n) => {
    const sum = `select(${realText(type).zero}, ${walk.sum(summed[n]!)}, live) + ${broken}`;
    return `var own_${n} = ${packedWgsl(total, sum)};`;
  });
  const tiles: KernelSource = {
    label: functor.name,
    about: aboutTiles(functor.name),
    workgroupSize: TILE,
    buffers,
    params: { ...tileParams, rcut2: realType(reals.pair), ...walk.params, ...tables.params },
    declarations: `
${hasTotals ? treeMemoryWgsl(wholeTree(TILE), totals.length) + combineWgsl(totals) : ''}
${lowered.structs}
${lowered.functions}
${sums.declarations}
${callText(request, lowered, access, sums)}
${light ? light.structs + light.functions + callText(request, light, access, sums, '_light') : ''}
${walk.declarations}`,
    body: `
  ${variant.strain ? 'holdStrain();' : ''}
  let place = P.firstGroup + group;
  let own_group = place % P.centralGroups;
  let split = place / P.centralGroups;
  let own_index = own_group * ${TILE}u + lane;
  let live = own_index < P.centralCount;
  let k = min(own_index, P.centralCount - 1u);
  let own = centrals[k];
  var i: ${lowered.name}_i;
  ${load.join('\n  ')}
  ${walk.before}
  ${variant.listed ? entriesText(walk) : tilesText(walk)}
  ${stored
    .map(
      (field, n) =>
        `if (live) { partial[(split * ${stored.length}u + ${n}u) * P.centralCount + k] = ${walk.sum(field)}; }`,
    )
    .join('\n  ')}
  ${hasTotals ? 'let broken = select(0.0, bitcast<f32>(P.nan), fault[0] == P.version);' : ''}
  ${own.join('\n  ')}
  ${hasTotals ? treeWgsl(totals, wholeTree(TILE), partialsEnd('partials', 'P.groups', 'place')) : ''}`,
  };
  const { source: gather, blocks: gatherBlocks } = gatherText(
    functor.name,
    grid,
    stored.map(sums.stored),
    reals.state,
  );
  return {
    tiles,
    tileBlocks: access.blocks,
    gather,
    gatherBlocks,
    totals,
    stored: stored.length,
  };
}

/** Bindings besides those of the particles' blocks. */
function tileBuffers(
  { tables, variant }: TileRequest,
  { type, stores, hasTotals }: { type: string; stores: boolean; hasTotals: boolean },
): KernelBuffer[] {
  const read = (name: string, row: string): KernelBuffer => ({
    name,
    type: `array<${row}>`,
    access: 'read',
  });
  const write = (name: string, row: string): KernelBuffer => ({
    ...read(name, row),
    access: 'read_write',
  });
  return [
    read('centrals', 'vec4u'),
    read('others', 'vec4u'),
    ...(variant.listed ? [read('starts', 'u32')] : []),
    ...tables.buffers,
    ...(stores ? [write('partial', type)] : []),
    ...(hasTotals ? [write('partials', 'vec2u'), read('fault', 'u32')] : []),
  ];
}

const tilesText = ({ load, tile }: TileWalk): string => `
  let last = min((split + 1u) * P.tilesPerSplit, P.tiles);
  for (var t = split * P.tilesPerSplit; t < last; t++) {
    workgroupBarrier();
    ${load}
    workgroupBarrier();
    ${tile}
  }`;

const entriesText = ({ entry, afterEntries }: TileWalk): string => `
  let end = select(0u, min(starts[k + 1u], P.otherCount), live);
  for (var n = starts[k]; n < end; n++) { ${entry} }
  ${afterEntries}`;

const tileParams: Record<string, ParamType> = {
  e0: 'vec4f',
  e1: 'vec4f',
  e2: 'vec4f',
  inner2: 'f32',
  centralCount: 'u32',
  centralPadded: 'u32',
  otherCount: 'u32',
  otherPadded: 'u32',
  centralGroups: 'u32',
  tiles: 'u32',
  tilesPerSplit: 'u32',
  oneSet: 'u32',
  groups: 'u32',
  firstGroup: 'u32',
  nan: 'u32',
  version: 'u32',
  one: 'f32',
};
