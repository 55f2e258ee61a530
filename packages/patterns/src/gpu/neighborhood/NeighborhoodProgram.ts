import type { FunctorIR, Stmt } from '@corpuscle/functor/ir';
import { forEachStatement, mapStatement, withOutputs } from '@corpuscle/functor/passes';
import type { PairCall } from '../../plan/calls.js';
import { specialize } from '../../plan/specialize.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { FunctorTables } from '../kernels/FunctorTables.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import { CallSums } from '../values/CallSums.js';
import type { KernelRequest } from './KernelRequest.js';
import { NEIGHBORHOOD_LANES, neighborhoodKernel } from './neighborhoodKernel.js';
import { scatterWords } from './scatter.js';
import { scatterKernel } from './scatterKernel.js';
import { sharedKernel, whyNotShared } from './sharedKernel.js';
import { inStages } from './stages.js';

type Blocks = readonly { name: string; written: boolean }[];

/** The kernels of a functor for one layout of the grid, one capacity of lists, and so on. */
export interface NeighborhoodProgram {
  /** One kernel where every particle fits its buffer; otherwise a first one and one for the rest. */
  readonly kernels: readonly GpuKernel[];
  /** Particles of a workgroup. */
  readonly perGroup: number;
  readonly blocks: Blocks;
  readonly tables: FunctorTables;
  /** Its totals; null without any. */
  readonly sums: CallSums | null;
  readonly scattered: {
    readonly kernel: GpuKernel;
    readonly blocks: Blocks;
    /** Words a particle. */
    readonly words: number;
  } | null;
}

/** @param capacity neighbors that a thread's buffer holds */
export function buildProgram(
  gpu: GpuDevice,
  call: PairCall,
  lists: DeviceLists,
  capacity: number,
): NeighborhoodProgram {
  const { functor, grid, outputs } = call;
  const { reals } = gpu;
  const ir = wanted(call);
  // Parameters of both are in one record.
  const both = ir.pack ? { ...ir, body: [...ir.body, ...ir.pack.body] } : ir;
  const tables = new FunctorTables(both, '', reals.pair);
  const request = {
    functor,
    ir,
    tables,
    grid,
    outputs,
    reals,
    orthorhombic: lists.frame!.domain.isOrthorhombic,
    format: lists.format,
    visit: shapeOf(call),
    label: functor.name,
  } as const;
  const whole = { ...request, pass: 'all', capacity: lists.capacity } as const;
  const alone = functor.traits.blockShared ? whyAlone(whole) : '';
  const isShared = functor.traits.blockShared && alone === null;
  const single = { ...request, ir: withoutBarriers(ir), label: `${functor.name}${alone ?? ''}` };
  const text = (pass: KernelRequest['pass'], room: number) =>
    neighborhoodKernel({ ...single, pass, capacity: room });
  const texts = isShared
    ? [sharedKernel(whole)]
    : capacity === lists.capacity || request.visit === 'each'
      ? [text('all', capacity)]
      : [text('first', capacity), text('rest', lists.capacity)];
  const { blocks, totals, scattered } = texts[0]!;
  const scatter =
    scattered.length > 0 ? scatterKernel(functor.name, scattered, grid, reals.state) : null;
  return {
    perGroup: isShared ? 1 : NEIGHBORHOOD_LANES,
    kernels: texts.map(({ source }) => gpu.kernel(source)),
    blocks,
    tables,
    sums: totals.length > 0 ? new CallSums(gpu, functor.name, totals) : null,
    scattered: scatter && {
      kernel: gpu.kernel(scatter.source),
      blocks: scatter.blocks,
      words: scatterWords(scattered, 1),
    },
  };
}

/** What the call wants of the functor; pairs with a context as one function of three stages. */
function wanted({ functor, params, outputs }: PairCall): FunctorIR {
  const kept = new Set(Object.keys(outputs).filter((name) => outputs[name] !== 'none'));
  const part = (ir: FunctorIR) => withOutputs(specialize(ir, params).ir, kept);
  const ir = part(functor.ir!);
  const { start, stop } = ir;
  return start && stop ? inStages({ ...ir, start: part(start), stop: part(stop) }) : ir;
}

/** How the functor visits its neighbors; see `KernelRequest`. */
export const shapeOf = ({ functor, form }: PairCall): KernelRequest['visit'] =>
  functor.kind !== 'pair' ? 'whole' : form === 'buffered' ? 'packed' : 'each';

/** Why lanes cannot share a particle, for the kernel's name; null where they can. */
function whyAlone(request: KernelRequest): string | null {
  const why = mayMissBarriers(request.ir)
    ? 'a filter lets lanes leave before a barrier'
    : whyNotShared(request);
  return why && ` (a thread a particle: ${why})`;
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

/** The functor for lanes on their own, without barriers. */
function withoutBarriers(ir: FunctorIR): FunctorIR {
  const list = (body: readonly Stmt[]): readonly Stmt[] =>
    body.filter((s) => s.kind !== 'barrier').map((s) => mapStatement(s, (e) => e, list));
  return { ...ir, body: list(ir.body) };
}
