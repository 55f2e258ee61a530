import type { CorpuscleError, FieldBlock, Grid, NeighborListKind, Saved } from '@corpuscle/core';
import type { NeighborCall, NeighborUpdate, Plan, ValueCall } from '../plan/calls.js';
import { CallByCallEngine } from './CallByCallEngine.js';
import type { EngineCall } from './Engine.js';
import type { HostEngine } from './HostEngine.js';
import type { TraceSlice } from './TraceSlice.js';

/** An engine around that of the CPU (`around` of a context), which does what this one does not do itself. */
export abstract class AroundHost extends CallByCallEngine implements HostEngine {
  protected readonly below: HostEngine;

  constructor(below: HostEngine) {
    super();
    this.below = below;
  }

  abstract prepareLists(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate>;

  /** @internal */
  override prepareValues(plan: Plan<ValueCall>): EngineCall<void> {
    return this.below.prepareValues(plan);
  }
  neighborList(grid: Grid, kind: NeighborListKind, rcut: number) {
    return this.below.neighborList(grid, kind, rcut);
  }
  finish(blocks?: readonly FieldBlock[]): void {
    this.below.finish(blocks);
  }
  override close(): Promise<void> {
    return this.below.close();
  }
  /** @internal */
  saveLists(grid: Grid): Saved {
    return this.below.saveLists(grid);
  }
  /** @internal */
  restoreLists(grid: Grid, saved: Saved): boolean {
    return this.below.restoreLists(grid, saved);
  }
  /** @internal */
  ready(): Promise<void> {
    return this.below.ready();
  }
  /** @internal */
  enterOperator(name: string): void {
    this.below.enterOperator(name);
  }
  /** @internal */
  onEndless(told: (error: CorpuscleError) => void): void {
    this.below.onEndless(told);
  }
  /** @internal */
  trace(told: (slice: TraceSlice) => void): void {
    this.below.trace?.(told);
  }
  /** @internal */
  onKernel(note: (label: string, text: string) => void): void {
    this.below.onKernel(note);
  }
}
