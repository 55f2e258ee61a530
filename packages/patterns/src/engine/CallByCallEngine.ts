import type { FieldBlock, Grid } from '@corpuscle/core';
import type { ResultRecord } from '@corpuscle/functor/ir';
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
  Totals,
} from '../plan/calls.js';
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
    return completedBy(plan, (call: ReduceCall) => this.reduceCellParticles(call));
  }
  prepareRecords(plan: Plan<RecordCall>): EngineCall<ResultRecord> {
    return completedBy(plan, (call: RecordCall) => this.reduceRecords(call));
  }
  preparePairs(plan: Plan<PairCall>): EngineCall<Totals> {
    return completedBy(plan, (call: PairCall) => this.computeCellParticlePairs(call));
  }
  prepareLists(plan: Plan<NeighbourCall>): EngineCall<NeighbourUpdate> {
    return completedBy(plan, (call: NeighbourCall) => this.updateNeighbours(call));
  }
}

/** A run of a plan: one object a run, which engines may keep. */
const completedBy = <C extends CallArguments, R>(
  plan: Plan<C>,
  make: (call: C) => PatternHandle<R>,
): EngineCall<R> => ({ run: (args) => make({ ...plan, ...args } as C) });
