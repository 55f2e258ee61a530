import type { Grid } from '@corpuscle/core';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceCall } from '../calls/DeviceCall.js';
import type { DeviceStrain } from './DeviceStrain.js';

/** Notes that the strain of a box has changed: kernels look at it themselves, so that nothing is dispatched. */
export class FollowStrain extends DeviceCall<void> {
  readonly kind = 'follow';
  readonly #strain: DeviceStrain;

  constructor(runner: CallRunner, grid: Grid, strain: DeviceStrain) {
    super(runner, 'follow the box', grid);
    this.#strain = strain;
  }

  record(): PatternHandle<void> {
    const { residency } = this.runner;
    residency.ensurePositions(this.grid);
    this.#strain.isMoved = true;
    this.#strain.numbers = null;
    residency.written(this.grid.block('position'));
    return completed();
  }
}
