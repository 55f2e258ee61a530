import type { Grid } from '@corpuscle/core';
import type { EngineCall } from '../../engine/Engine.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments } from '../../plan/calls.js';
import type { CallRunner } from './CallRunner.js';

/** What can be recorded in its turn, and again where a window is repeated. */
export interface Recordable<R> {
  /** The functor, or what is done, for errors and profiles. */
  readonly name: string;
  /** The operator of a simulation that prepared it. */
  readonly operator: string;
  /** The grid it works on; null for what concerns values of the context alone. */
  readonly grid: Grid | null;
  /** Whether it cannot see positions through the strain of the box as it is: that has to be taken in first. */
  readonly needsBox?: boolean;
  /** Records it as things are now. */
  record(args: CallArguments): PatternHandle<R>;
}

/** A prepared call on the device. */
export abstract class DeviceCall<R, G extends Grid | null = Grid>
  implements EngineCall<R>, Recordable<R>
{
  readonly grid: G;
  readonly name: string;
  readonly operator: string;
  protected readonly runner: CallRunner;

  constructor(runner: CallRunner, name: string, grid: G) {
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
