import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import { sumOutputs } from '../../functor/passes/sumOutputs.js';
import type { LoweredWgsl, WgslField } from '../../lower/wgsl/WgslEnv.js';
import type { OutputTarget } from '../../pattern/PatternEngine.js';
import type { KernelSource, ParamType } from '../device/GpuKernel.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import { ParticleAccess } from '../pattern/ParticleAccess.js';
import {
  combineWgsl,
  type DeviceResult,
  packedWgsl,
  treeMemoryWgsl,
  treeWgsl,
} from '../wgsl/reduceWgsl.js';
import { NO_ROW } from './packParticles.js';
import {
  denseTile,
  differenceText,
  sparseRun,
  TILE,
  type TileVariant,
  UNROLL,
} from './tileLoops.js';

export interface TileRequest {
  readonly functor: Functor<'pair'>;
  readonly ir: FunctorIR;
  readonly lowered: LoweredWgsl;
  readonly tables: FunctorTables;
  readonly grid: Grid;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly variant: TileVariant;
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

/**
 * One thread a central particle, tiles of neighbours in workgroup memory, and the tiles shared out over several
 * workgroups where there are few central particles:
 *
 *            tile 0   tile 1 │ tile 2   tile 3 │ …
 *   group 0  ░░░░░░░░░░░░░░░ │ ░░░░░░░░░░░░░░░ │        split 0 │ split 1 │ …
 *   group 1  ░░░░░░░░░░░░░░░ │                          partial[(split · outputs + output) · centrals + central]
 *
 * Beyond the cutoff a pair costs its distance; the functor is skipped where all threads that run together may skip it.
 * Sums are taken over a tile, then over a split, then over splits; totals are compensated from there on. After a fault none
 * is a number.
 */
export function tileText(request: TileRequest): TileText {
  const { functor, ir, lowered, tables, grid, outputs, variant } = request;
  const kinds = sumOutputs(ir);
  const written = lowered.fields.i.filter((field) => field.written);
  for (const { field } of written)
    if (functor.spec.wgsl === undefined && kinds.get(field) === 'general')
      throw new CorpuscleError(
        'INVALID_VALUE',
        `functor '${functor.name}' does more than add to its output '${field}', so it cannot meet all pairs in tiles on the GPU: use lists, or enableGpu: false`,
      );
  const reals = written.filter(({ type }) => type === 'f32');
  if (reals.length < written.length)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' has outputs that are no reals, so it cannot meet all pairs in tiles on the GPU: use lists, or enableGpu: false`,
    );
  const goesTo = (pattern: RegExp) => (field: WgslField) => pattern.test(outputs[field.field]!);
  const stored = written.filter(goesTo(/^(particles|both)$/));
  const summed = written.filter(goesTo(/^(total|both)$/));
  const totals = summed.map(
    ({ field, type }): DeviceResult => ({ name: field, type: type as 'f32', op: 'sum' }),
  );
  const access = new ParticleAccess(grid);
  const read = lowered.fields.i.filter((field) => !field.written);
  const load = [access.loadRows(read, 'row', 'own.w')];
  for (const field of read) load.push(`i.${field.member} = ${access.value(field, 'row')};`);
  const neighbour = neighbourText(lowered, access);
  if (access.blocks.some(({ name }) => name === 'position'))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor.name}' reads positions, which all pairs on the GPU do not have at hand: use the difference d`,
    );
  const hasTotals = totals.length > 0;
  const tiles: KernelSource = {
    label: functor.name,
    workgroupSize: TILE,
    buffers: [
      ...access.buffers,
      { name: 'centrals', type: 'array<vec4u>', access: 'read' },
      { name: 'others', type: 'array<vec4u>', access: 'read' },
      ...(tables.hasTables
        ? [{ name: 'tables', type: 'array<u32>', access: 'read' } as const]
        : []),
      ...(stored.length > 0
        ? [{ name: 'partial', type: 'array<f32>', access: 'read_write' } as const]
        : []),
      ...(hasTotals
        ? [
            { name: 'partials', type: 'array<vec2u>', access: 'read_write' } as const,
            { name: 'fault', type: 'array<u32>', access: 'read' } as const,
          ]
        : []),
    ],
    params: { ...tileParams, ...tables.params },
    declarations: `
var<workgroup> tile: array<vec4u, ${TILE}>;
${hasTotals ? treeMemoryWgsl(TILE, totals.length) + combineWgsl(totals) : ''}
${lowered.structs}
${lowered.functions}
${differenceText(variant)}
fn square(own: vec4u, other: vec4u) -> f32 {
  let d = difference(own.xyz - other.xyz);
  return dot(d, d);
}
fn call(i: ptr<function, ${lowered.name}_i>, d: vec4f, jrow: u32) {
  ${neighbour}
  ${lowered.name}(i, j, d);
}
fn meet(i: ptr<function, ${lowered.name}_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  if (r2 < reach && other.w != own.w && other.w != ${NO_ROW}u) { call(i, vec4f(d, r2), other.w); }
}
// Of a whole tile that cannot hold the particle itself.
fn meetOther(i: ptr<function, ${lowered.name}_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  ${variant.reach === 'endless' ? '' : 'if (r2 < reach)'} { call(i, vec4f(d, r2), other.w); }
}`,
    body: `
  let own_group = group % P.centralGroups;
  let split = group / P.centralGroups;
  let k = own_group * ${TILE}u + lane;
  let live = k < P.centralCount;
  let own = centrals[min(k, P.centralCount - 1u)];
  let reach = select(-1.0, P.rcut2, live);
  ${variant.box === 'shifted' ? 'let doubtful = select(3.0e38, P.inner2, live);' : ''}
  var i: ${lowered.name}_i;
  ${load.join('\n  ')}
  ${written.map((_, n) => `var sum_${n} = 0.0;`).join(' ')}
  let last = min((split + 1u) * P.tilesPerSplit, P.tiles);
  for (var t = split * P.tilesPerSplit; t < last; t++) {
    workgroupBarrier();
    tile[lane] = others[t * ${TILE}u + lane];
    workgroupBarrier();
    ${written.map(({ member }) => `i.${member} = 0.0;`).join(' ')}
    ${variant.reach === 'sparse' ? `for (var n = 0u; n < ${TILE}u; n += ${UNROLL}u) { ${sparseRun(variant)} }` : denseTile}
    ${written.map(({ member }, n) => `sum_${n} += i.${member};`).join(' ')}
  }
  ${stored
    .map(
      (field, n) =>
        `if (live) { partial[(split * ${stored.length}u + ${n}u) * P.centralCount + k] = sum_${written.indexOf(field)}; }`,
    )
    .join('\n  ')}
  ${hasTotals ? 'let broken = select(0.0, bitcast<f32>(P.nan), fault[0] != 0u);' : ''}
  ${totals.map((total, n) => `var own_${n} = ${packedWgsl(total, `select(0.0, sum_${written.indexOf(summed[n]!)}, live) + broken`)};`).join('\n  ')}
  ${hasTotals ? treeWgsl(totals, TILE, 'partials', 'P.groups', 'group') : ''}`,
  };
  const { source: gather, blocks: gatherBlocks } = gatherText(functor.name, grid, stored);
  return {
    tiles,
    tileBlocks: access.blocks,
    gather,
    gatherBlocks,
    totals,
    stored: stored.length,
  };
}

const tileParams: Record<string, ParamType> = {
  e0: 'vec4f',
  e1: 'vec4f',
  e2: 'vec4f',
  rcut2: 'f32',
  inner2: 'f32',
  centralCount: 'u32',
  centralGroups: 'u32',
  tiles: 'u32',
  tilesPerSplit: 'u32',
  oneSet: 'u32',
  groups: 'u32',
  nan: 'u32',
  one: 'f32',
};

function neighbourText(lowered: LoweredWgsl, access: ParticleAccess): string {
  const fields = lowered.fields.j.map((field) => ({ ...field, written: false }));
  const rows = access.loadRows(fields, 'other', 'jrow');
  const load = fields.map((field) => `j.${field.member} = ${access.value(field, 'other')};`);
  return [rows, `var j: ${lowered.name}_j;`, ...load].join('\n    ');
}

/** Adds the partial sums of all splits to the particles' fields; after a fault they are no numbers. */
function gatherText(
  name: string,
  grid: Grid,
  stored: readonly WgslField[],
): { source: KernelSource; blocks: readonly { name: string; written: boolean }[] } {
  const access = new ParticleAccess(grid);
  const load = access.loadRows(stored, 'out', 'row');
  const add = stored.map(
    (field, n) => `
  var sum_${n} = 0.0;
  for (var split = 0u; split < P.splits; split++) {
    sum_${n} += partial[(split * ${stored.length}u + ${n}u) * P.centralCount + index];
  }
  ${access.put(field, 'out', `${access.value(field, 'out')} + select(sum_${n}, bitcast<f32>(P.nan), broken)`)}`,
  );
  const store = access.storeRows(stored, 'out', 'row');
  const source: KernelSource = {
    label: `${name}: sums`,
    workgroupSize: 64,
    buffers: [
      ...access.buffers,
      { name: 'centrals', type: 'array<vec4u>', access: 'read' },
      { name: 'partial', type: 'array<f32>', access: 'read' },
      { name: 'fault', type: 'array<u32>', access: 'read' },
    ],
    params: { centralCount: 'u32', splits: 'u32', nan: 'u32' },
    body: `
  if (index >= P.centralCount) { return; }
  let broken = fault[0] != 0u;
  let row = centrals[index].w;
  ${load}${add.join('')}
  ${store}`,
  };
  return { source, blocks: access.blocks };
}
