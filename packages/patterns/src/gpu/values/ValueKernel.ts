import type { EngineCall } from '../../engine/Engine.js';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, Plan, ValueCall } from '../../plan/calls.js';
import type { DeviceValues, ValueRunner } from './DeviceValues.js';
import { type PlacedFunctor, ValuePass } from './ValuePass.js';

/** A value functor on the device: one thread loads the values, computes, and stores them. */
export class ValueKernel implements EngineCall<void> {
  readonly kind = 'values';
  readonly grid = null;
  readonly name: string;
  readonly operator: string;
  readonly placed: PlacedFunctor;
  readonly #runner: ValueRunner;
  readonly #alone: ValuePass;

  constructor(runner: ValueRunner, { functor, places }: Plan<ValueCall>, operator: string) {
    this.#runner = runner;
    this.name = functor.name;
    this.operator = operator;
    this.placed = {
      functor,
      places: places.map(({ values, at }) => (values as DeviceValues).parameter(at)),
    };
    this.#alone = new ValuePass(runner.gpu, null, [this.placed]);
  }

  run(args: CallArguments): PatternHandle<void> {
    this.#runner.runValues(this.name, () => this.record(args));
    return completed();
  }

  record({ params }: CallArguments): void {
    this.#alone.record([params]);
  }
}
