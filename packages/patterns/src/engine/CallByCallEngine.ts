import type { FieldBlock, Grid } from '@corpuscle/core';
import type { ResultRecord } from '@corpuscle/functor/ir';
import { combined } from '../handles/combined.js';
import { completed } from '../handles/handles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type {
  BlockCall,
  CallArguments,
  CellCall,
  NeighbourCall,
  NeighbourUpdate,
  PairCall,
  Plan,
  RecordCall,
  ReduceCall,
  ResultPlaces,
  Totals,
  ValueCall,
} from '../plan/calls.js';
import { totalsOf } from '../plan/calls.js';
import type { EngineValues } from '../value/EngineValues.js';
import { HostValues } from '../value/HostValues.js';
import type { CallByCall, EngineCall, PatternEngine } from './Engine.js';

/**
 * An engine that keeps what it binds by functor and grid, and looks it up when a call is made: a prepared call of it is
 * the plan, which each run completes.
 */
export abstract class CallByCallEngine implements PatternEngine, CallByCall {
  abstract readonly name: PatternEngine['name'];
  abstract blockParallelFor(call: BlockCall): PatternHandle<ResultRecord>;
  abstract computeCellParticles(call: CellCall): PatternHandle<void>;
  abstract reduceCellParticles(call: ReduceCall): PatternHandle<Totals>;
  abstract reduceRecords(call: RecordCall): PatternHandle<ResultRecord>;
  abstract computeCellParticlePairs(call: PairCall): PatternHandle<Totals>;
  abstract updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate>;
  abstract newestOnHost(blocks: readonly FieldBlock[], grid?: Grid): Promise<void>;
  abstract close(): Promise<void>;

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
    const run = ({ params }: CallArguments): PatternHandle<void> => {
      const record: Record<string, number> = {};
      for (const [k, { values, at }] of places.entries()) record[names[k]!] = values.parameter(at);
      functor.invoke(record, params);
      for (const [k, { values, at }] of places.entries()) values.write([record[names[k]!]!], at);
      return completed();
    };
    return { run };
  }
  createValues(initial: readonly number[]): EngineValues {
    return new HostValues(initial);
  }
  prepareLists(plan: Plan<NeighbourCall>): EngineCall<NeighbourUpdate> {
    return completedBy(plan, (call: NeighbourCall) => this.updateNeighbours(call));
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
