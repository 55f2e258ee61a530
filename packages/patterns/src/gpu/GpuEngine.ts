import type { FieldBlock } from '@corpuscle/core';
import { CallOrder } from '../context/CallOrder.js';
import type { GpuBackend } from '../context/loadGpuEngine.js';
import type { Precision } from '../pattern/chooseBackend.js';
import { completed } from '../pattern/handles.js';
import type {
  BlockCall,
  CellCall,
  NeighbourCall,
  NeighbourUpdate,
  PairCall,
  ReduceCall,
  Totals,
} from '../pattern/PatternEngine.js';
import type { PatternHandle } from '../pattern/PatternHandle.js';
import type { GpuInfo } from './device/findAdapter.js';
import type { GpuCounters } from './device/GpuCounters.js';
import type { GpuDevice } from './device/GpuDevice.js';
import { Neighbours } from './neighbours/Neighbours.js';
import { BlockPattern } from './pattern/BlockPattern.js';
import { CellPattern } from './pattern/CellPattern.js';
import { PairPattern } from './pattern/PairPattern.js';
import { ReducePattern } from './pattern/ReducePattern.js';
import { Residency } from './residency/Residency.js';

/**
 * The GPU backend. Calls are recorded in program order and submitted in batches; handles of calls that return nothing are
 * done once the call is recorded, those with results when the results have been read back. Reals are f32.
 *
 * Only `updateNeighbours` has to wait for the device (is a rebuild due?); calls made meanwhile start behind it.
 */
export class GpuEngine implements GpuBackend {
  readonly name = 'webgpu';
  readonly precisions: readonly Precision[] = ['f32'];
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  readonly neighbours: Neighbours;
  readonly #order = new CallOrder();
  readonly #blocks: BlockPattern;
  readonly #cells: CellPattern;
  readonly #reductions: ReducePattern;
  readonly #pairs: PairPattern;

  constructor(gpu: GpuDevice) {
    this.gpu = gpu;
    this.residency = new Residency(gpu);
    this.neighbours = new Neighbours(gpu, this.residency);
    this.#blocks = new BlockPattern(gpu, this.residency);
    this.#cells = new CellPattern(gpu, this.residency);
    this.#reductions = new ReducePattern(gpu, this.residency);
    this.#pairs = new PairPattern(gpu, this.residency, this.neighbours);
  }

  /** Adapter and driver, for people. */
  get description(): string {
    return this.gpu.info.adapter;
  }
  /** Features and limits of the adapter. */
  get info(): GpuInfo {
    return this.gpu.info;
  }
  /** Transfers, dispatches and submits so far. */
  get counters(): Readonly<GpuCounters> {
    return this.gpu.counters;
  }

  blockParallelFor(call: BlockCall): PatternHandle<void> {
    return this.#inOrder(call.functor.name, () => this.#blocks.run(call));
  }

  computeCellParticles(call: CellCall): PatternHandle<void> {
    return this.#inOrder(call.functor.name, () => {
      this.#cells.run(call);
      return completed();
    });
  }

  reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    return this.#inOrder(call.functor.name, () => this.#reductions.run(call));
  }

  computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    return this.#inOrder(call.functor.name, () => this.#pairs.run(call));
  }

  updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate> {
    this.gpu.check();
    let update: NeighbourUpdate | undefined;
    return this.#order.run(
      async () => {
        this.gpu.operation = 'update neighbours';
        update = await this.neighbours.update(call);
      },
      () => completed(update!),
    );
  }

  async newestOnHost(blocks: readonly FieldBlock[]): Promise<void> {
    await this.#order.run(
      async () => {
        this.gpu.operation = 'copy to host';
        for (const block of blocks) await this.residency.download(block);
      },
      () => completed(),
    );
  }

  /** False while calls wait to be started. */
  get idle(): boolean {
    return this.#order.idle;
  }
  /** Resolves when every call made so far has been started. */
  started(): Promise<void> {
    return this.#order.settled();
  }

  /** Waits until the device has done all that was asked of it. */
  async finished(): Promise<void> {
    await this.#order.settled();
    await this.gpu.stream.finished();
  }

  async close(): Promise<void> {
    await this.#order.settled();
    await this.gpu.close();
  }

  #inOrder<R>(operation: string, start: () => PatternHandle<R>): PatternHandle<R> {
    this.gpu.check();
    return this.#order.run(
      () => null,
      () => {
        this.gpu.operation = operation;
        return start();
      },
    );
  }
}
