import type { Functor } from '@corpuscle/functor';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, ParameterValues, Plan, ReduceCall, Totals } from '../../plan/calls.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { ParamRecord } from '../device/GpuKernel.js';
import { type BoundBlocks, boundBlocks } from '../pattern/BoundBlocks.js';
import type { CellKernelText } from '../pattern/cellKernel.js';
import type { FoldedResult } from '../pattern/FoldedSums.js';
import { finishTotals, type Outcome } from '../pattern/PartialSums.js';
import { ParticleAccess } from '../pattern/ParticleAccess.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { type DeviceResult, identityValue } from '../wgsl/reduceWgsl.js';
import { DeviceCall, type Runner } from './DeviceCall.js';
import { groupsFor, type ReducePrograms, type ReductionProgram } from './ReducePrograms.js';

/** What stays as long as number, box and parameters do. */
interface Binding {
  readonly count: number;
  readonly frame: PositionFrame | null;
  readonly groups: number;
  readonly params: ParameterValues;
  /** Parameters of the kernel. */
  readonly record: ParamRecord;
}

/**
 * A reduction on the device in two levels of fixed order, so that the same device gives the same bits:
 * lane → workgroup (tree) → one workgroup over all partial results → host.
 */
export class DeviceReduction extends DeviceCall<Totals> {
  readonly kind = 'reduction';
  readonly #plan: Plan<ReduceCall>;
  readonly #programs: ReducePrograms;
  readonly #outcome: Outcome;
  #program: ReductionProgram | null = null;
  /** What the program was made for. */
  #strain: DeviceStrain | undefined;
  #bound: BoundBlocks | null = null;
  #binding: Binding | null = null;
  /** What the kernel binds. */
  readonly #bindings: GPUBuffer[] = [];

  constructor(runner: Runner, programs: ReducePrograms, plan: Plan<ReduceCall>) {
    super(runner, plan.functor.name, plan.grid);
    this.#programs = programs;
    this.#plan = plan;
    this.#outcome = (numbers) => merge(this.#built.text.results, numbers, plan.initial);
  }

  get functor(): Functor<'reduce'> {
    return this.#plan.functor;
  }

  /** Its kernel before it is compiled, and what it uses. */
  get text(): CellKernelText {
    return this.#built.text;
  }

  /** Its results and where they go among the values of the context; null where the host gets them. */
  get folded(): readonly FoldedResult[] | null {
    const { into, initial } = this.#plan;
    if (!into) return null;
    const names = Object.keys(initial);
    const first = into.values.parameter(into.at);
    return this.text.results.map((one) => ({ ...one, place: first + names.indexOf(one.name) }));
  }

  record({ params }: CallArguments): PatternHandle<Totals> {
    if (this.grid.count === 0) return completed({ ...this.#plan.initial });
    const { kernel, tables, sums } = this.#built;
    const { groups, record } = this.#bindingFor(params);
    const bindings = this.#bindings;
    const blocks = this.#bound!.buffers();
    bindings.length = 0;
    for (let k = 0; k < blocks.length; k++) bindings.push(blocks[k]!);
    if (tables.hasTables) bindings.push(tables.buffer(this.runner.gpu, this.name, params));
    bindings.push(sums.partials(groups));
    this.runner.gpu.stream.dispatchWritten(kernel, bindings, record, groups);
    const { into, initial } = this.#plan;
    return finishTotals(sums, groups, into, Object.keys(initial), this.#outcome);
  }

  get #built(): ReductionProgram {
    const strain = strainOf(this.grid);
    if (!this.#program || strain !== this.#strain) {
      this.#strain = strain;
      this.#binding = null;
      this.#program = this.#programs.of(this.#plan);
      this.#bound = boundBlocks(this.grid, this.runner.residency, this.#program.text.blocks);
    }
    return this.#program;
  }

  #bindingFor(params: ParameterValues): Binding {
    const built = this.#built;
    const { count } = this.grid;
    const { frame } = built.text.usesFrame
      ? this.runner.residency.ensurePositions(this.grid)
      : NO_FRAME;
    const known = this.#binding;
    if (known?.count === count && known.frame === frame && known.params === params) return known;
    const groups = groupsFor(count);
    const values = {
      ...built.tables.values(params),
      ...(frame ? ParticleAccess.frameValues(frame) : {}),
      count,
      groups,
      one: 1,
    };
    const record = built.kernel.newRecord();
    built.kernel.writeParams(record, 0, values);
    this.#binding = { count, frame, groups, params, record };
    return this.#binding;
  }
}

const NO_FRAME = { frame: null };

/** Adds the initial values, each exactly once; results that no particle touched keep theirs. */
function merge(
  results: readonly DeviceResult[],
  numbers: readonly number[],
  initial: Readonly<Record<string, number>>,
): Totals {
  const totals: Totals = { ...initial };
  for (let k = 0; k < results.length; k++) {
    const result = results[k]!;
    const { name, op } = result;
    const start = totals[name]!;
    const found = numbers[k]!;
    if (op === 'sum') totals[name] = start + found;
    else if (found !== identityValue(result)) totals[name] = Math[op](start, found);
  }
  return totals;
}
