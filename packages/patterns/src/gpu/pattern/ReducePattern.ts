import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { plainResults } from '@corpuscle/functor/ir';
import { completed } from '../../pattern/handles.js';
import type { ReduceCall, Totals } from '../../pattern/PatternEngine.js';
import type { PatternHandle } from '../../pattern/PatternHandle.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';
import {
  combineWgsl,
  type DeviceResult,
  identityOf,
  identityValue,
  packedWgsl,
  treeMemoryWgsl,
  treeWgsl,
} from '../wgsl/reduceWgsl.js';
import { type BoundBlocks, boundBlocks } from './BoundBlocks.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import { KernelCache } from './KernelCache.js';
import { type Outcome, PartialSums } from './PartialSums.js';
import { layoutKey, ParticleAccess } from './ParticleAccess.js';

const LANES = 256;
const MOST_GROUPS = 1024;

interface ReduceKernel {
  readonly kernel: GpuKernel;
  readonly tables: FunctorTables;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly usesFrame: boolean;
  readonly results: readonly DeviceResult[];
  readonly sums: PartialSums;
}

/** What does not change as long as a call is made again. */
interface Prepared {
  readonly built: ReduceKernel;
  readonly bound: BoundBlocks;
  readonly outcome: Outcome;
  /** Particles, blocks of the grid, and the frame of the box that the rest was made for. */
  readonly count: number;
  readonly blocks: number;
  readonly frame: PositionFrame | null;
  readonly groups: number;
  /** Parameters of the kernel. */
  readonly params: ParamRecord;
}

/**
 * A reduction on the device in two levels of fixed order, so that the same device gives the same bits:
 * lane → workgroup (tree) → one workgroup over all partial results → host.
 */
export class ReducePattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #kernels = new KernelCache<ReduceKernel>();
  /** Of calls that last: runs make the same ones again and again. */
  readonly #prepared = new WeakMap<ReduceCall, Prepared>();
  /** What the kernel binds. */
  readonly #bindings: GPUBuffer[] = [];

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
  }

  run(call: ReduceCall): PatternHandle<Totals> {
    const { functor, grid } = call;
    if (grid.count === 0) return completed({ ...call.initial });
    const { built, bound, outcome, groups, params } = this.#prepare(call);
    const { tables, sums } = built;
    const bindings = this.#bindings;
    const blocks = bound.buffers();
    bindings.length = 0;
    for (let k = 0; k < blocks.length; k++) bindings.push(blocks[k]!);
    if (tables.hasTables) bindings.push(tables.buffer(this.#gpu, functor.name, call.params));
    bindings.push(sums.partials(groups));
    this.#gpu.stream.dispatchWritten(built.kernel, bindings, params, groups);
    return sums.finish(groups, outcome);
  }

  /** A call that lasts says the same for ever. */
  #prepare(call: ReduceCall): Prepared {
    const { grid } = call;
    const known = this.#prepared.get(call);
    const isSame = known?.count === grid.count && known.blocks === grid.blocks.size;
    if (isSame && known.frame === this.#frameFor(known.built, grid)) return known;
    const prepared = this.#newlyPrepared(call);
    if (call.lasting) this.#prepared.set(call, prepared);
    return prepared;
  }

  #newlyPrepared(call: ReduceCall): Prepared {
    const { functor, grid, initial } = call;
    const key = layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}));
    const built = this.#kernels.get(functor, key, () => this.#build(functor, grid));
    const { count } = grid;
    const groups = Math.min(MOST_GROUPS, Math.ceil(count / (4 * LANES)));
    const frame = this.#frameFor(built, grid);
    const values = {
      ...built.tables.values(call.params),
      ...(frame ? ParticleAccess.frameValues(frame) : {}),
      count,
      groups,
      one: 1,
    };
    const params = built.kernel.newRecord();
    built.kernel.writeParams(params, 0, values);
    return {
      built,
      bound: boundBlocks(grid, this.#residency, built.blocks),
      outcome: (numbers) => merge(built.results, numbers, initial),
      count,
      blocks: grid.blocks.size,
      frame,
      groups,
      params,
    };
  }

  #frameFor({ usesFrame }: ReduceKernel, grid: Grid): PositionFrame | null {
    return usesFrame ? this.#residency.ensurePositions(grid).frame : null;
  }

  #build(functor: Functor<'reduce'>, grid: Grid): ReduceKernel {
    const ir = functor.ir!;
    const { state } = this.#gpu.reals;
    const tables = new FunctorTables(ir, '', state);
    const lowered = functorText(functor, ir, tables);
    const access = new ParticleAccess(grid, state);
    const ops = plainResults(functor);
    const results = lowered.fields.acc.map(
      ({ field, type }): DeviceResult => ({ name: field, type, op: ops[field]! }),
    );
    const fields = lowered.fields.i;
    const loadRows = access.loadRows(fields, 'row', 'k');
    const load = fields.map((field) => `i.${field.member} = ${access.value(field, 'row')};`);
    const each = (text: (result: DeviceResult, k: number, member: string) => string): string =>
      results.map((result, k) => text(result, k, lowered.fields.acc[k]!.member)).join('\n    ');
    const sums = new PartialSums(this.#gpu, functor.name, results);
    const frameText = access.usesFrame
      ? cellWgsl + cellVectorWgsl(false) + access.declarations
      : '';
    const kernel = this.#gpu.kernel({
      label: functor.name,
      workgroupSize: LANES,
      buffers: [
        ...access.buffers,
        ...(tables.hasTables
          ? [{ name: 'tables', type: 'array<u32>', access: 'read' as const }]
          : []),
        { name: 'partials', type: 'array<vec2u>', access: 'read_write' },
      ],
      params: { ...access.params, ...tables.params, count: 'u32', groups: 'u32', one: 'f32' },
      declarations: `${frameText}${treeMemoryWgsl(LANES, results.length)}${combineWgsl(results)}${lowered.structs}
${lowered.functions}`,
      body: `
  ${each((result, k) => `var own_${k} = ${packedWgsl(result, identityOf(result))};`)}
  for (var k = index; k < P.count; k += P.groups * ${LANES}u) {
    ${loadRows}
    var i: ${lowered.name}_i;
    ${load.join('\n    ')}
    var acc: ${lowered.name}_acc;
    ${each((result, _k, member) => `acc.${member} = ${identityOf(result)};`)}
    ${lowered.name}(&acc, i);
    ${each((result, k, member) => `own_${k} = combine_${k}(own_${k}, ${packedWgsl(result, `acc.${member}`)});`)}
  }
  ${treeWgsl(results, LANES, 'partials', 'P.groups', 'group')}`,
    });
    const { blocks, usesFrame } = access;
    return { kernel, tables, blocks, usesFrame, results, sums };
  }
}

/** Adds the initial values, each exactly once; results that no particle touched keep theirs. */
function merge(
  results: readonly DeviceResult[],
  numbers: readonly number[],
  initial: Readonly<Record<string, number>>,
): Totals {
  const totals: Totals = { ...initial };
  for (let k = 0; k < results.length; k++) {
    const result = results[k]!;
    const { name, op } = result;
    const start = totals[name]!;
    const found = numbers[k]!;
    if (op === 'sum') totals[name] = start + found;
    else if (found !== identityValue(result)) totals[name] = Math[op](start, found);
  }
  return totals;
}
