import { CorpuscleError } from '@corpuscle/core';
import { specialise } from '../../cpu/pair/specialise.js';
import type { FunctorIR } from '../../functor/ir.js';
import { withOutputs } from '../../functor/passes/withOutputs.js';
import { completed, pending } from '../../pattern/handles.js';
import type { PairCall, Totals } from '../../pattern/PatternEngine.js';
import type { PatternHandle } from '../../pattern/PatternHandle.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DeviceLists } from '../neighbours/DeviceLists.js';
import type { Neighbours } from '../neighbours/Neighbours.js';
import type { Residency } from '../residency/Residency.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import { FunctorTables } from './FunctorTables.js';
import { functorText } from './functorText.js';
import { KernelCache } from './KernelCache.js';
import { PartialSums } from './PartialSums.js';
import { layoutKey, ParticleAccess, particleBuffers } from './ParticleAccess.js';
import { PAIR_LANES, pairKernel } from './pairKernel.js';

interface PairProgram {
  readonly kernel: GpuKernel;
  readonly tables: FunctorTables;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly totals: readonly DeviceResult[];
  readonly sums: PartialSums | null;
}

/** A pair functor on the device, over full neighbour lists. */
export class PairPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #neighbours: Neighbours;
  readonly #programs = new KernelCache<PairProgram>();
  readonly #byShape = new KernelCache<PairProgram>();

  constructor(gpu: GpuDevice, residency: Residency, neighbours: Neighbours) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#neighbours = neighbours;
  }

  run(call: PairCall): PatternHandle<Totals> {
    const { grid, functor, params, rcut, outputs } = call;
    const wanted = Object.keys(outputs).filter((name) => /^(total|both)$/.test(outputs[name]!));
    const zero: Totals = Object.fromEntries(wanted.map((name) => [name, 0]));
    if (grid.count === 0) return completed(zero);
    const lists = this.#listsFor(call);
    const program = this.#program(call, lists);
    const groups = Math.ceil(grid.count / PAIR_LANES);
    const { buffers, written } = particleBuffers(grid, this.#residency, program.blocks);
    const rest: GPUBuffer[] = [];
    if (program.tables.hasTables) rest.push(program.tables.buffer(this.#gpu, functor.name, params));
    if (program.sums) rest.push(program.sums.partials(groups));
    const { frame } = this.#residency.ensurePositions(grid);
    const values = {
      ...ParticleAccess.frameValues(frame),
      ...program.tables.values(params),
      rcut2: rcut * rcut,
      stride: lists.stride,
      groups,
      one: 1,
    };
    for (const { first, end, entries } of lists.chunks) {
      this.#gpu.stream.dispatchThreads(
        program.kernel,
        [...buffers, lists.counts.buffer, entries.buffer, ...rest],
        { ...values, first, end, firstGroup: first / PAIR_LANES },
        end - first,
      );
    }
    written();
    if (!program.sums) return completed(zero);
    const readback = program.sums.finish(groups);
    return pending(
      readback.values.then((numbers) => {
        program.totals.forEach(({ name }, k) => {
          zero[name] = numbers[k]!;
        });
        return zero;
      }),
      readback.hurry,
    );
  }

  #listsFor({ grid, functor, rcut }: PairCall): DeviceLists {
    const lists = this.#neighbours.lists(grid);
    if (lists?.covers(grid, rcut)) return lists;
    const why =
      !lists || lists.sortVersion === -1
        ? 'it has no neighbour lists on the GPU'
        : rcut > lists.rcut
          ? `its neighbour lists reach ${lists.rcut}, less than rcut ${rcut}`
          : 'its particles were sorted or resized since';
    throw new CorpuscleError(
      'NO_NEIGHBOUR_LISTS',
      `functor '${functor.name}' needs pairs of the grid, but ${why}: call updateNeighbours(grid, ctx, { rcut: ${rcut}, skin }) first`,
    );
  }

  /** Shapes of parameters lead to few programs: many numbers make the same choices in the functor. */
  #program(call: PairCall, lists: DeviceLists): PairProgram {
    const { functor, params } = call;
    return this.#byShape.get(functor, shapeKey(call, lists), () => {
      const { ir, choices } = specialise(functor.ir!, params);
      const key = `${layoutOf(call, lists)}|${choices}`;
      return this.#programs.get(functor, key, () => this.#build(call, ir, lists));
    });
  }

  #build(call: PairCall, specialised: FunctorIR, lists: DeviceLists): PairProgram {
    const { functor, grid, outputs, form } = call;
    const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
    const ir = withOutputs(specialised, kept);
    const tables = new FunctorTables(ir);
    const lowered = functorText(functor, ir, tables);
    const orthorhombic = lists.frame!.domain.isOrthorhombic;
    const request = { functor, ir, lowered, tables, grid, outputs, form, orthorhombic };
    const { source, blocks, totals } = pairKernel(request);
    const sums = totals.length > 0 ? new PartialSums(this.#gpu, functor.name, totals) : null;
    return { kernel: this.#gpu.kernel(source), tables, blocks, totals, sums };
  }
}

/** What the kernel's text depends on besides the functor. */
function layoutOf({ functor, grid, outputs, form }: PairCall, lists: DeviceLists): string {
  const { i = {}, j = {} } = functor.ir!.roles;
  let key = `${form}${lists.frame!.domain.isOrthorhombic ? 'o' : 't'}`;
  key += layoutKey(grid, [...Object.keys(i), ...Object.keys(j)]);
  for (const name in outputs) key += `,${name}:${outputs[name]}`;
  return key;
}

/** The layout, and all of the parameters that `specialise` looks at. */
function shapeKey(call: PairCall, lists: DeviceLists): string {
  let key = layoutOf(call, lists);
  for (const [name, { type, array }] of Object.entries(call.functor.ir!.roles.p ?? {})) {
    const value = call.params[name];
    if (typeof value === 'object') key += `,${array && value.length === 1 ? 1 : 0}`;
    else if (type !== 'real') key += `,${value}`;
  }
  return key;
}
