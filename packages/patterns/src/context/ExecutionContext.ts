import type { CorpuscleError, SharedHeap } from '@corpuscle/core';
import type { DeviceStatus } from '../engine/DeviceStatus.js';
import type { Engines } from '../engine/Engines.js';
import type { TraceSlice } from '../engine/TraceSlice.js';
import type { CallOrder } from '../handles/CallOrder.js';
import { type Lane, Lanes } from '../handles/Lanes.js';
import type { Locate } from '../handles/located.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { Watch } from '../handles/Watch.js';
import { engineFor } from '../pattern/engineFor.js';
import { atCaller } from '../plan/atCaller.js';
import type { BackendName, Machine, Precision } from '../plan/chooseBackend.js';
import { ContextValue, checkedNumbers } from '../value/ContextValue.js';
import type { ExecutionContextOptions, Lowering } from './ExecutionContextOptions.js';

/** What a context was made with, complete. */
export type ContextSettings = Required<
  Omit<ExecutionContextOptions, 'backend' | 'device' | 'around' | 'aroundDevice'>
> & {
  readonly requested: 'auto' | BackendName;
};

/** What a context and its branches share. */
class Shared {
  readonly lanes = new Lanes();
  readonly watch = new Watch();
  isClosed = false;
  isLost = false;
  tellEndless: ((error: CorpuscleError) => void) | null = null;
}

/** A context whose calls go, between `begin` and `end`, to a lane of their own. */
interface ContextBranch {
  readonly context: ExecutionContext;
  begin(): void;
  /** Resolves when none of its calls waits any more; what they compute may still be under way. */
  end(): Promise<void>;
}

/** A branch of the program, and its lane; while that is closed, calls of the branch are in the lane of the program. */
interface BranchOf {
  readonly program: ExecutionContext;
  readonly lane: Lane;
  readonly order: CallOrder;
  isOpen: boolean;
}

/** Threads, device and memory of a simulation, which `close()` ends. `createExecutionContext` makes one. */
export class ExecutionContext implements Machine, AsyncDisposable {
  readonly requested: 'auto' | BackendName;
  /** Where functors run that nothing keeps from it. */
  readonly backend: BackendName;
  readonly threads: number;
  readonly precision: Precision;
  readonly lowering: Lowering;
  readonly deterministic: boolean;
  readonly heap: SharedHeap;
  /** The CPU's engine, and the one besides, for patterns. */
  readonly engines: Engines;
  /** Keeps calls in program order when one of them has to wait for a transfer. @internal */
  readonly lanes: Lanes;
  /** The operator of a simulation that makes the next calls; empty where there is none. */
  operator = '';
  /** The backend that this operator was given, if it was. */
  operatorBackend: BackendName | undefined;
  /** What gives errors of its calls their place, where it has one. @internal */
  locate: Locate | undefined;
  readonly #settings: ContextSettings;
  readonly #shared: Shared;
  readonly #branch: BranchOf | null;

  /** Takes what `createExecutionContext` has settled and opened. @internal */
  constructor(settings: ContextSettings, engines: Engines, branch: BranchOf | null = null) {
    this.#settings = settings;
    this.#shared = branch ? branch.program.#shared : new Shared();
    this.#branch = branch;
    this.lanes = this.#shared.lanes;
    this.requested = settings.requested;
    this.precision = settings.precision;
    this.lowering = settings.lowering;
    this.deterministic = settings.deterministic;
    this.threads = settings.threads;
    this.heap = settings.heap;
    this.engines = engines;
    const { host, accelerator } = engines;
    const isTaken = this.requested !== 'cpu' && accelerator?.precisions.includes(this.precision);
    this.backend = accelerator && isTaken ? accelerator.name : host.name;
    if (branch) return;
    host.onEndless((error) => {
      this.#shared.isLost = true;
      this.#shared.tellEndless?.(error);
    });
  }

  /** The order of its calls that name no lane. @internal */
  get order(): CallOrder {
    return this.#branch?.isOpen ? this.#branch.order : this.lanes.order();
  }

  /** The lane of its calls that name none; absent: that of the program. @internal */
  get lane(): Lane | undefined {
    return this.#branch?.isOpen ? this.#branch.lane : undefined;
  }

  /** Whether it is that of a branch. @internal */
  get isBranch(): boolean {
    return this.#branch !== null;
  }

  /**
   * Makes a lane for a branch of the program, which goes beside others. Null where calls must be made in one order: processes
   * that share a run take part in each other's calls. @internal
   */
  openBranch(name: string): ContextBranch | null {
    if (this.engines.host.copyWhole) return null;
    const order = this.lanes.branch();
    const program = this.#branch?.program ?? this;
    const branch: BranchOf = { program, lane: name, order, isOpen: false };
    const context = new ExecutionContext(this.#settings, this.engines, branch);
    return {
      context,
      begin() {
        branch.isOpen = true;
      },
      async end() {
        await order.settled();
        branch.isOpen = false;
      },
    };
  }

  /** Of a branch: engines are told again whose calls follow, as others may have made some since. @internal */
  enter(): void {
    if (!this.#branch?.isOpen) return;
    const { program } = this.#branch;
    if (program.operator !== this.operator)
      program.enterOperator(this.operator, this.operatorBackend, this.locate);
  }

  /** What functors run on besides the CPU, or why they run on the CPU alone, as one clause. */
  get backendReason(): string {
    return this.engines.reason;
  }

  /** The device of the engine besides the CPU's; null where there is none, or it works on the memory of the host. */
  get device(): DeviceStatus | null {
    return this.engines.accelerator?.device ?? null;
  }

  /** Whether processes share a run, and calls on a device exchange messages with theirs. @internal */
  get exchanges(): boolean {
    return this.engines.host.copyWhole !== undefined && this.device !== null;
  }

  /** Resolves when no call waits for messages; null where none does. @internal */
  exchanged(): Promise<void> | null {
    return this.device === null || this.device.idle ? null : this.device.started();
  }

  /** Resolves when all CPU threads serve; until then the main thread does their work. Calls need not wait for it. */
  ready(): Promise<void> {
    return this.engines.host.ready();
  }

  /** Notes a call under way, so that its error does not vanish when the call is not awaited. @internal */
  watched<R>(handle: PatternHandle<R>, locate = this.locate): PatternHandle<R> {
    return this.#shared.watch.add(handle, locate);
  }

  get closed(): boolean {
    return this.#shared.isClosed;
  }

  /**
   * Makes a value: named real numbers that live where the context computes.
   *
   * @param initial their first values, by name.
   * @example
   * const thermostat = ctx.value({ twiceKinetic: 0, scale: 1 });
   */
  value<const V extends Readonly<Record<string, number>>>(
    initial: V,
  ): ContextValue<Extract<keyof V, string>> {
    const numbers = atCaller(this.value, () => Object.values(checkedNumbers(initial)));
    const names = Object.keys(initial) as Extract<keyof V, string>[];
    const values = engineFor(this, this.backend).createValues(numbers);
    return new ContextValue(names, values, this.engines);
  }

  /** Calls that follow are made by this operator of a simulation, with a backend of its own perhaps: errors and profiles name it. */
  enterOperator(name: string, backend?: BackendName, locate?: Locate): void {
    this.operator = name;
    this.operatorBackend = backend;
    this.locate = locate;
    this.engines.host.enterOperator(name);
    const device = this.engines.accelerator?.device;
    if (device) device.operator = name;
  }

  /** Tells what threads do from now on, and what the device does where it has time stamps. It costs time. */
  trace(told: (slice: TraceSlice) => void): void {
    this.engines.host.trace?.(told);
    this.device?.trace?.(told);
  }

  /** Tells once when work without end has been ended; calls under way may never return then. @internal */
  onEndless(told: (error: CorpuscleError) => void): void {
    this.#shared.tellEndless = told;
  }

  /** Ends threads and device; the process can exit afterwards. Closing twice does nothing. @throws the error of a call that has not been awaited. */
  async close(): Promise<void> {
    if (this.#shared.isClosed) return;
    this.#shared.isClosed = true;
    const { host, accelerator } = this.engines;
    try {
      // Calls that were ended in the middle never settle.
      if (!this.#shared.isLost) {
        await this.lanes.settled();
        host.finish();
        await this.#shared.watch.settle();
      }
    } finally {
      await accelerator?.close();
      await host.close();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
