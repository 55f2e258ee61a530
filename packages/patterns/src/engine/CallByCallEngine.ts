import { CorpuscleError } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { ResultRecord } from '@corpuscle/functor/ir';
import { combined } from '../handles/combined.js';
import { completed } from '../handles/handles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type {
  BlockCall,
  CallArguments,
  CellCall,
  PairCall,
  Plan,
  RecordCall,
  ReduceCall,
  ResultPlaces,
  Totals,
  ValueCall,
} from '../plan/calls.js';
import type { BackendName, Precision } from '../plan/chooseBackend.js';
import { totalsOf } from '../plan/totalsOf.js';
import type { EngineValues } from '../value/EngineValues.js';
import { HostValues } from '../value/HostValues.js';
import type { Engine, EngineCall } from './Engine.js';

/**
 * An engine that keeps what it binds by functor and grid, and looks it up when a call is made: a prepared call of it is
 * the plan, which each run completes. What it cannot take, `refuses` must name: the methods for it are left as they are.
 * @example
 * class CellsOnly extends CallByCallEngine {
 *   readonly name = 'cells_only';
 *   refuses = ({ kind }) => (kind === 'cell' ? null : `it has no ${kind} functors`);
 *   computeCellParticles(call) { … }
 * }
 */
export abstract class CallByCallEngine implements Engine {
  abstract readonly name: BackendName;
  abstract readonly description: string;
  abstract readonly precisions: readonly Precision[];

  /** Calls a block functor for each index; results are a record, empty where it has none. */
  blockParallelFor(call: BlockCall): PatternHandle<ResultRecord> {
    throw this.#notRefused(call);
  }
  /** Calls a cell functor for each particle. */
  computeCellParticles(call: CellCall): PatternHandle<void> {
    throw this.#notRefused(call);
  }
  /** Sums, minima and maxima over particles, with the initial values counted once. */
  reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    throw this.#notRefused(call);
  }
  /** A reduction whose results form a record; initial values are not counted. */
  reduceRecords(call: RecordCall): PatternHandle<ResultRecord> {
    throw this.#notRefused(call);
  }
  /** Calls a pair functor for each pair within the cutoff; the handle gives what goes to totals. */
  computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    throw this.#notRefused(call);
  }

  /** Gives back what the engine owns; here nothing. */
  async close(): Promise<void> {}

  prepareBlocks(plan: Plan<BlockCall>): EngineCall<ResultRecord> {
    return completedBy(plan, (call: BlockCall) => this.blockParallelFor(call));
  }
  prepareCells(plan: Plan<CellCall>): EngineCall<void> {
    return completedBy(plan, (call: CellCall) => this.computeCellParticles(call));
  }
  prepareReduction(plan: Plan<ReduceCall>): EngineCall<Totals> {
    return completedBy(plan, (call: ReduceCall) =>
      kept(this.reduceCellParticles(call), Object.keys(call.initial), call),
    );
  }
  prepareRecords(plan: Plan<RecordCall>): EngineCall<ResultRecord> {
    return completedBy(plan, (call: RecordCall) => this.reduceRecords(call));
  }
  preparePairs(plan: Plan<PairCall>): EngineCall<Totals> {
    return completedBy(plan, (call: PairCall) =>
      kept(this.computeCellParticlePairs(call), totalsOf(call), call),
    );
  }
  prepareValues({ functor, places }: Plan<ValueCall>): EngineCall<void> {
    const names = functor.spec.kind === 'cell' ? Object.keys(functor.spec.fields) : [];
    // One record for all runs, read from text: objects of many fields that are added one by one are slow for good.
    const zeros = Object.fromEntries(names.map((name) => [name, 0]));
    const record: Record<string, number> = JSON.parse(JSON.stringify(zeros));
    const run = ({ params }: CallArguments): PatternHandle<void> => {
      for (let k = 0; k < places.length; k++) {
        const { values, at } = places[k]!;
        record[names[k]!] = values.parameter(at);
      }
      this.callDirectly(functor.name, () => functor.invoke(record, params));
      for (let k = 0; k < places.length; k++) {
        const { values, at } = places[k]!;
        const number = record[names[k]!]!;
        if (values instanceof HostValues) values.numbers[at] = number;
        else values.write([number], at);
      }
      return completed();
    };
    return { run };
  }
  createValues(initial: readonly number[]): EngineValues {
    return new HostValues(initial);
  }
  /** Calls a functor of values as it stands, on the main thread. @internal */
  protected callDirectly(_functor: string, call: () => void): void {
    call();
  }

  #notRefused({ functor }: { readonly functor: Functor }): CorpuscleError {
    return new CorpuscleError(
      'INTERNAL',
      `functor '${functor.name}' was sent to backend ${this.name}, which does not refuse it and cannot take it`,
    );
  }
}

/** Writes the results of a call where they shall stay, if they shall. */
function kept(
  handle: PatternHandle<Totals>,
  names: readonly string[],
  { into }: { readonly into?: ResultPlaces | undefined },
): PatternHandle<Totals> {
  if (!into) return handle;
  return combined([handle], ([totals]) => {
    into.values.write(
      names.map((name) => totals![name]!),
      into.at,
    );
    return {};
  });
}

/** A run of a plan: one object a run, which engines may keep. */
const completedBy = <C extends CallArguments, R>(
  plan: Plan<C>,
  make: (call: C) => PatternHandle<R>,
): EngineCall<R> => ({ run: (args) => make({ ...plan, ...args } as C) });
