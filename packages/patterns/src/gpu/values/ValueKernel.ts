import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, Plan, ValueCall } from '../../plan/calls.js';
import type { CallRunner } from '../calls/CallRunner.js';
import { DeviceCall } from '../calls/DeviceCall.js';
import type { PlacedFunctor } from '../kernels/valueSource.js';
import type { DeviceValues } from './DeviceValues.js';
import { ValuePass } from './ValuePass.js';

/** A value functor on the device: one thread loads the values, computes, and stores them. */
export class ValueKernel extends DeviceCall<void, null> {
  readonly kind = 'values';
  readonly placed: PlacedFunctor;
  readonly #alone: ValuePass;

  constructor(runner: CallRunner, { functor, places }: Plan<ValueCall>) {
    super(runner, functor.name, null);
    this.placed = {
      functor,
      places: places.map(({ values, at }) => (values as DeviceValues).parameter(at)),
    };
    this.#alone = new ValuePass(runner.gpu, null, [this.placed]);
  }

  record({ params }: CallArguments): PatternHandle<void> {
    this.#alone.record([params]);
    return completed();
  }
}
