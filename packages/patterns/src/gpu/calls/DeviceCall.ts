import type { Grid } from '@corpuscle/core';
import type { EngineCall } from '../../engine/Engine.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments } from '../../plan/calls.js';
import type { Neighbors } from '../neighbors/Neighbors.js';
import type { CellHost } from './JoinedCells.js';
import type { PairPrograms } from './PairPrograms.js';

/** What can be recorded in its turn, and again where a window is repeated. */
export interface Recordable<R> {
  readonly kind: string;
  /** The functor, or what is done, for errors and profiles. */
  readonly name: string;
  /** The operator of a simulation that prepared it. */
  readonly operator: string;
  /** The grid it works on; null for what concerns values of the context alone. */
  readonly grid: Grid | null;
  /** Records it as things are now. */
  record(args: CallArguments): PatternHandle<R>;
}

/** Whether a call of a kind finds positions through no strain of the box. */
export const knowsNoStrain = (kind: string): boolean => kind === 'other' || kind === 'sweep';

/** What calls are recorded on, and what makes them in their turn. */
export interface Runner extends CellHost {
  /** The operator of a simulation that makes the next calls without one of their own. */
  readonly operator: string;
  readonly neighbors: Neighbors;
  readonly pairs: PairPrograms;
  /** Makes a call in its turn, as part of the open window where there is one. */
  run<R>(call: Recordable<R>, args: CallArguments): PatternHandle<R>;
  /** The same for a call that no window can contain. */
  runSettled<R>(call: Recordable<R>, args: CallArguments): PatternHandle<R>;
}

/** A prepared call on the device. */
export abstract class DeviceCall<R, G extends Grid | null = Grid>
  implements EngineCall<R>, Recordable<R>
{
  abstract readonly kind: string;
  readonly grid: G;
  readonly name: string;
  readonly operator: string;
  protected readonly runner: Runner;

  constructor(runner: Runner, name: string, grid: G) {
    this.runner = runner;
    this.grid = grid;
    this.name = name;
    this.operator = runner.operator;
  }

  run(args: CallArguments): PatternHandle<R> {
    return this.runner.run(this, args);
  }

  abstract record(args: CallArguments): PatternHandle<R>;
}
