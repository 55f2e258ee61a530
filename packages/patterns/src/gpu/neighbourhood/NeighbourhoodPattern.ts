import { CorpuscleError } from '@corpuscle/core';
import { specialise } from '../../cpu/pair/specialise.js';
import type { FunctorIR, Stmt } from '../../functor/ir.js';
import { forEachStatement, mapStatement } from '../../functor/passes/walk.js';
import { withOutputs } from '../../functor/passes/withOutputs.js';
import { completed, pending } from '../../pattern/handles.js';
import type { PairCall, Totals } from '../../pattern/PatternEngine.js';
import type { PatternHandle } from '../../pattern/PatternHandle.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DeviceLists } from '../neighbours/DeviceLists.js';
import { FunctorTables } from '../pattern/FunctorTables.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { PartialSums } from '../pattern/PartialSums.js';
import { layoutKey, ParticleAccess, particleBuffers } from '../pattern/ParticleAccess.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import { GIVE_LANES, givenKernel, givenWords } from './given.js';
import { NEIGHBOURHOOD_LANES, neighbourhoodKernel } from './neighbourhoodKernel.js';
import { fitsShared, sharedKernel } from './sharedKernel.js';
import { inStages } from './stages.js';

type Blocks = readonly { name: string; written: boolean }[];

interface Program {
  /** One kernel where every particle fits its buffer; otherwise a first one and one for the rest. */
  readonly kernels: readonly GpuKernel[];
  /** Particles of a workgroup. */
  readonly perGroup: number;
  readonly blocks: Blocks;
  readonly tables: FunctorTables;
  readonly totals: readonly DeviceResult[];
  readonly sums: PartialSums | null;
  readonly given: {
    readonly kernel: GpuKernel;
    readonly blocks: Blocks;
    readonly count: number;
  } | null;
}

/**
 * A functor of whole neighbourhoods on the device, over full neighbour lists.
 *
 * Threads have a buffer for as many neighbours as the cutoff's share of the longest list suggests. Particles with more than
 * that are noted, and a second kernel, with room for the longest list, takes them: nothing is cut off, and nobody waits.
 */
export class NeighbourhoodPattern {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #given: GrowingBuffer;
  readonly #programs = new KernelCache<Program>();

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#given = new GrowingBuffer(gpu, "neighbours' share");
  }

  /** @param lists current lists that reach the cutoff */
  run(call: PairCall, lists: DeviceLists): PatternHandle<Totals> {
    const { grid, functor, params, rcut, outputs } = call;
    const wanted = Object.keys(outputs).filter((name) => /^(total|both)$/.test(outputs[name]!));
    const zero: Totals = Object.fromEntries(wanted.map((name) => [name, 0]));
    const program = this.#program(call, lists);
    const { kernels, tables, sums, given, perGroup } = program;
    const { stream } = this.#gpu;
    const groups = Math.ceil(grid.count / perGroup);
    const allGroups = groups * kernels.length;
    const { buffers, written } = particleBuffers(grid, this.#residency, program.blocks);
    const rest: GPUBuffer[] = [];
    if (tables.hasTables) rest.push(tables.buffer(this.#gpu, functor.name, params));
    if (given || kernels.length > 1) {
      const words = givenWords(given?.count ?? 0, grid.count);
      rest.push(this.#given.reserve(4 * words));
      stream.clear(this.#given.buffer, 0, 4 * words);
    }
    if (sums) rest.push(sums.partials(allGroups));
    const { frame } = this.#residency.ensurePositions(grid);
    const values = {
      ...ParticleAccess.frameValues(frame),
      ...tables.values(params),
      rcut2: rcut * rcut,
      count: grid.count,
      stride: lists.stride,
      groups: allGroups,
      one: 1,
    };
    kernels.forEach((kernel, pass) => {
      for (const { first, end, entries } of lists.chunks) {
        const firstGroup = pass * groups + first / perGroup;
        stream.dispatch(
          kernel,
          [...buffers, lists.counts.buffer, entries.buffer, ...rest],
          { ...values, first, end, firstGroup },
          Math.ceil((end - first) / perGroup),
        );
      }
    });
    written();
    if (given) {
      const fields = particleBuffers(grid, this.#residency, given.blocks);
      const all = [...fields.buffers, this.#given.buffer];
      stream.dispatch(given.kernel, all, values, Math.ceil(grid.count / GIVE_LANES));
      fields.written();
    }
    if (!sums) return completed(zero);
    const readback = sums.finish(allGroups);
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

  #program(call: PairCall, lists: DeviceLists): Program {
    const { functor, grid, outputs, params } = call;
    const { i = {}, n = {}, j = {}, p = {} } = functor.ir!.roles;
    const looked = Object.keys(functor.ir!.pack?.roles.j ?? {});
    const fields = [...Object.keys({ ...i, ...n, ...j }), ...looked];
    const { visit } = shapeOf(call);
    const capacity = visit === 'each' ? 1 : bufferSize(call, lists);
    let key = `${visit} ${lists.frame!.domain.isOrthorhombic} ${capacity} ${lists.capacity}`;
    key += layoutKey(grid, fields);
    for (const name in outputs) key += `,${name}:${outputs[name]}`;
    // What `specialise` looks at.
    for (const [name, { type, array }] of Object.entries(p)) {
      const value = params[name];
      if (typeof value === 'object') key += `,${array && value.length === 1 ? 1 : 0}`;
      else if (type !== 'real') key += `,${value}`;
    }
    return this.#programs.get(functor, key, () =>
      this.#build(call, specialise(functor.ir!, params).ir, lists, capacity),
    );
  }

  #build(call: PairCall, special: FunctorIR, lists: DeviceLists, capacity: number): Program {
    const { functor, grid, outputs } = call;
    const { state, pair } = this.#gpu.reals;
    if (pair === 'f64')
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `functor '${functor.name}' takes whole neighbourhoods, which the GPU computes in f32: ask for precision mixed or f32, or for backend cpu`,
      );
    const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
    const reduced = withOutputs(special, kept);
    const hook = (part: FunctorIR) => withOutputs(specialise(part, call.params).ir, kept);
    const { start, stop } = reduced;
    const ir =
      start && stop ? inStages({ ...reduced, start: hook(start), stop: hook(stop) }) : reduced;
    // Parameters of both are in one record.
    const tables = new FunctorTables(ir.pack ? { ...ir, body: [...ir.body, ...ir.pack.body] } : ir);
    const orthorhombic = lists.frame!.domain.isOrthorhombic;
    const { visit } = shapeOf(call);
    const request = { functor, ir, tables, grid, outputs, orthorhombic, state, visit } as const;
    const text = (pass: 'all' | 'first' | 'rest', room: number) =>
      neighbourhoodKernel({ ...request, ir: alone(ir), pass, capacity: room });
    const whole = { ...request, pass: 'all', capacity: lists.capacity } as const;
    const isShared = functor.traits.blockShared && fitsShared(whole) && !mayMissBarriers(ir);
    const texts = isShared
      ? [sharedKernel(whole)]
      : capacity === lists.capacity || visit === 'each'
        ? [text('all', capacity)]
        : [text('first', capacity), text('rest', lists.capacity)];
    const { blocks, totals, given } = texts[0]!;
    const give = given.length > 0 ? givenKernel(functor.name, given, grid, state) : null;
    return {
      perGroup: isShared ? 1 : NEIGHBOURHOOD_LANES,
      kernels: texts.map(({ source }) => this.#gpu.kernel(source)),
      blocks,
      tables,
      totals,
      sums: totals.length > 0 ? new PartialSums(this.#gpu, functor.name, totals) : null,
      given: give && {
        kernel: this.#gpu.kernel(give.source),
        blocks: give.blocks,
        count: given.length,
      },
    };
  }
}

/** How the functor meets its neighbours; see `NeighbourhoodKernelRequest`. */
const shapeOf = ({ functor, form }: PairCall): { readonly visit: 'whole' | 'packed' | 'each' } => ({
  visit: functor.kind !== 'pair' ? 'whole' : form === 'buffered' ? 'packed' : 'each',
});

/** Neighbours within the cutoff where the longest list is evenly filled, and half as many again; steps of eight. */
function bufferSize({ rcut }: PairCall, { capacity, radius }: DeviceLists): number {
  const expected = capacity * (rcut / radius) ** 3 * 1.5 + 4;
  const size = 8 * Math.ceil(expected / 8);
  return size > 0.75 * capacity ? capacity : size;
}

/** Whether lanes could leave before a barrier, as where a filter of the call leaves particles out. */
function mayMissBarriers({ body }: FunctorIR): boolean {
  let [leaves, waits] = [false, false];
  forEachStatement(body, (s) => {
    leaves ||= s.kind === 'return';
    waits ||= s.kind === 'barrier';
  });
  return leaves && waits;
}

/** The functor for lanes on their own, which wait for nobody. */
function alone(ir: FunctorIR): FunctorIR {
  const list = (body: readonly Stmt[]): readonly Stmt[] =>
    body.filter((s) => s.kind !== 'barrier').map((s) => mapStatement(s, (e) => e, list));
  return { ...ir, body: list(ir.body) };
}
