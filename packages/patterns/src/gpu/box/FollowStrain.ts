import type { Grid } from '@corpuscle/core';
import type { EngineCall } from '../../engine/Engine.js';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { Residency } from '../residency/Residency.js';
import type { DeviceStrain } from './DeviceStrain.js';

/** Makes calls in their order. */
export interface FollowRunner {
  readonly residency: Residency;
  runFollow(call: FollowStrain): PatternHandle<void>;
}

/** Notes that the strain of a box has changed: kernels look at it themselves, so that nothing is dispatched. */
export class FollowStrain implements EngineCall<void> {
  readonly kind = 'follow';
  readonly name = 'follow the box';
  readonly grid: Grid;
  readonly operator: string;
  readonly #runner: FollowRunner;
  readonly #strain: DeviceStrain;

  constructor(runner: FollowRunner, grid: Grid, strain: DeviceStrain, operator: string) {
    this.#runner = runner;
    this.grid = grid;
    this.#strain = strain;
    this.operator = operator;
  }

  run(): PatternHandle<void> {
    return this.#runner.runFollow(this);
  }

  record(): PatternHandle<void> {
    const { residency } = this.#runner;
    residency.ensurePositions(this.grid);
    this.#strain.isMoved = true;
    residency.written(this.grid.block('position'));
    return completed();
  }
}
