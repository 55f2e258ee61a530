import type { Functor } from '@corpuscle/functor';
import type { EngineCall } from '../../engine/Engine.js';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, ParameterValues, Plan, ValueCall } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import { FunctorTables } from '../pattern/FunctorTables.js';
import { functorText } from '../pattern/functorText.js';
import type { DeviceValues, ValueRunner } from './DeviceValues.js';

/** A value functor on the device: one thread loads the values, computes, and stores them. */
export class ValueKernel implements EngineCall<void> {
  readonly kind = 'values';
  readonly grid = null;
  readonly name: string;
  readonly operator: string;
  readonly #runner: ValueRunner;
  readonly #functor: Functor<'cell'>;
  readonly #places: readonly number[];
  readonly #tables: FunctorTables;
  readonly #kernel: GpuKernel;
  #params: ParameterValues | null = null;
  readonly #record: ParamRecord;

  constructor(runner: ValueRunner, { functor, places }: Plan<ValueCall>, operator: string) {
    this.#runner = runner;
    this.#functor = functor;
    this.name = functor.name;
    this.operator = operator;
    this.#places = places.map(({ values, at }) => (values as DeviceValues).parameter(at));
    const { gpu } = runner;
    const { kernel, tables } = build(gpu, functor);
    this.#kernel = kernel;
    this.#tables = tables;
    this.#record = kernel.newRecord();
  }

  run(args: CallArguments): PatternHandle<void> {
    this.#runner.runValues(this.name, () => this.record(args));
    return completed();
  }

  record({ params }: CallArguments): void {
    const { gpu } = this.#runner;
    if (this.#params !== params) {
      const values: Record<string, number> = { ...this.#tables.values(params), one: 1 };
      for (const [k, place] of this.#places.entries()) values[`at_${k}`] = place;
      this.#kernel.writeParams(this.#record, 0, values);
      this.#params = params;
    }
    const buffers = this.#tables.hasTables
      ? [this.#tables.buffer(gpu, this.#functor.name, params)]
      : [];
    gpu.stream.dispatchWritten(this.#kernel, buffers, this.#record, 1);
  }
}

function build(
  gpu: GpuDevice,
  functor: Functor<'cell'>,
): { readonly kernel: GpuKernel; readonly tables: FunctorTables } {
  const ir = functor.ir!;
  const { state } = gpu.reals;
  const tables = new FunctorTables(ir, '', state);
  const lowered = functorText(functor, ir, tables);
  const names = functor.spec.kind === 'cell' ? Object.keys(functor.spec.fields) : [];
  const places: Record<string, 'u32'> = {};
  for (const k of names.keys()) places[`at_${k}`] = 'u32';
  const used = lowered.fields.i.map((field) => ({
    ...field,
    place: `values[P.at_${names.indexOf(field.field)}]`,
  }));
  const isDouble = state === 'f64';
  const load = used.map(({ member, place }) => `i.${member} = ${place}${isDouble ? '' : '.x'};`);
  const store = used
    .filter(({ written }) => written)
    .map(
      ({ member, place }) => `${place} = ${isDouble ? `i.${member}` : `vec2f(i.${member}, 0.0)`};`,
    );
  const kernel = gpu.kernel({
    label: functor.name,
    about: `Value functor '${functor.name}': one thread computes values of the context from others.`,
    workgroupSize: 1,
    buffers: tables.hasTables ? [{ name: 'tables', type: 'array<u32>', access: 'read' }] : [],
    params: { ...tables.params, ...places, one: 'f32' },
    declarations: `${lowered.structs}
${lowered.functions}`,
    body: `
  var i: ${lowered.name}_i;
  ${load.join('\n  ')}
  ${lowered.name}(&i);
  ${store.join('\n  ')}`,
  });
  return { kernel, tables };
}
