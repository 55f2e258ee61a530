import type { Grid } from '@corpuscle/core';
import { boxNames, strainNames } from '../../box/strainedBox.js';
import type { EngineStrain } from '../../engine/StrainEngine.js';
import { completed } from '../../handles/handles.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceValues } from '../values/DeviceValues.js';
import { DeviceStrain, setStrain, strainOf } from './DeviceStrain.js';
import { FollowStrain } from './FollowStrain.js';
import { MeasuredStrain } from './MeasuredStrain.js';
import { PrescribedStrain } from './PrescribedStrain.js';
import { TAKEN } from './strainText.js';

/** The strain of a grid's box, which stays on the device; a grid has one. */
export function prepareStrain(runner: CallRunner, grid: Grid): EngineStrain {
  const strain = strainOf(grid) ?? newStrain(runner, grid);
  const box = new DeviceValues(runner, new Array<number>(boxNames.length).fill(0));
  grid.onFree(() => box.free());
  return {
    values: strain.values,
    call: new FollowStrain(runner, grid, strain),
    box,
    measure: new MeasuredStrain(runner, grid, strain, box),
    shear: () => {
      strain.isSheared = true;
    },
    know: () => runner.newestOnHost([], grid),
    settle: () => runner.settleStrain(grid),
    prescribe: (boxNow, options) => new PrescribedStrain(runner, grid, strain, boxNow, options),
  };
}

function newStrain(runner: CallRunner, grid: Grid): DeviceStrain {
  const values = new DeviceValues(runner, new Array<number>(TAKEN + strainNames.length).fill(0));
  const strain = new DeviceStrain(values, grid.domain, runner.gpu.reals.state === 'f64');
  setStrain(grid, strain);
  // Calls that wait look at the strain from now on, so it must be 0 before they are started.
  runner.strains.begin(strain);
  // Made again, it allows for as much strain as lists do by then.
  runner.runOther('begin strain', () => {
    runner.strains.begin(strain);
    return completed();
  });
  return strain;
}
