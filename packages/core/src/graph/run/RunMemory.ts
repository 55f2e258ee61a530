import { CorpuscleError } from '@corpuscle/functor/error';
import { checkSaved, type Saved } from '../../checkpoint/Saved.js';
import type { OperatorDefinition } from '../defineOperator.js';
import type { OutputCell } from '../Simulation.js';
import type { SimulationState } from '../SimulationState.js';
import type { StateKeeper } from '../StateKeeper.js';
import { allCalls, type Call, type Frame } from './frames.js';
import type { OperatorCalls } from './OperatorCalls.js';
import type { OperatorInstance, PlaceState } from './OperatorInstance.js';
import type { SavedRun } from './SavedRun.js';

/**
 * What a checkpoint holds of the graph: where the run is, outputs, and what operators keep.
 *
 *   save     frames, outputs ─▶ operators save ─▶ keeper saves
 *   revive   keeper creates ─▶ outputs ─▶ operators prepared (and executed, if they provide what is not there)
 *                           ─▶ operators restored ─▶ keeper restores
 */
export class RunMemory {
  readonly #root: Frame;
  readonly #calls: OperatorCalls;
  readonly #state: SimulationState;
  readonly #all: readonly Call[];

  constructor(root: Frame, calls: OperatorCalls, state: SimulationState) {
    this.#root = root;
    this.#calls = calls;
    this.#state = state;
    this.#all = [...allCalls(root.items)];
  }

  /** @param frames the batches that the run is in, from the outermost; the operator that saves is the present item of the last. */
  async save(frames: readonly Frame[]): Promise<SavedRun> {
    const repeated = frames.find((frame) => frame.hasRepeated);
    if (repeated)
      throw new CorpuscleError(
        'INVALID_VALUE',
        'a batch that is repeated for every frame of a file has no checkpoints: put checkpoint into a loop of steps',
      );
    const { keeper } = operatorAt(frames.at(-1)!).instance.definition;
    const called = this.#called;
    const operators: Saved[] = [];
    for (const { instance } of called) {
      const { save } = instance.definition;
      const given = save && (await this.#calls.ask(instance, () => saved(instance, save)));
      operators.push(given ?? null);
    }
    return {
      step: this.#state.step,
      time: this.#state.time,
      path: frames.map(({ at }) => at),
      passes: frames.map(({ passes }) => passes),
      called: called.map((call) => this.#all.indexOf(call)),
      operators,
      settled: [...this.#all.keys()].filter((k) => this.#all[k]!.isSettled),
      outputs: this.#cells.map(({ value }) => (isPlain(value) ? value : null)),
      shared: await keeper?.save(this.#state),
    };
  }

  /**
   * Makes operators and state what they were. The run then goes on after the operator that saved.
   * @returns the batches around it, from the outermost.
   * @throws CorpuscleError FILE_FORMAT where the graph is another.
   */
  async revive(saved: SavedRun): Promise<readonly Frame[]> {
    const state = this.#state;
    const frames = this.#framesAt(saved.path);
    const keeper = operatorAt(frames.at(-1)!).instance.definition.keeper;
    for (const number of [...saved.called, ...saved.settled])
      if (number >= this.#all.length) throw otherGraph();
    frames.forEach((frame, k) => {
      frame.passes = saved.passes[k]!;
    });
    state.step = saved.step;
    state.time = saved.time;
    await sound('particles', () => keeper?.create(state, saved.shared));
    this.#setOutputs(saved.outputs);
    state.isResuming = true;
    await this.#reviveOperators(saved, keeper);
    state.isResuming = false;
    await sound('particles', () => keeper?.restore(state, saved.shared));
    state.renewCalls();
    return frames;
  }

  async #reviveOperators(saved: SavedRun, keeper: StateKeeper | undefined): Promise<void> {
    const called = saved.called.map((number) => this.#all[number]!);
    const held = new Set(called.flatMap(({ instance }) => instance.definition.provides ?? []));
    for (const key of held) if (!keeper || this.#state.find(key) === undefined) held.delete(key);
    for (const call of called) {
      const { provides = [], restore, executesOnResume } = call.instance.definition;
      const isDone = restore !== undefined || provides.every((key) => held.has(key));
      await this.#calls.revive(call, isDone && !executesOnResume);
    }
    for (const number of saved.settled) {
      const call = this.#all[number]!;
      call.isSettled = call.timing === null;
    }
    for (const [k, { instance }] of called.entries()) {
      const { restore } = instance.definition;
      this.#tellForgotten(instance);
      if (!restore) continue;
      const held = saved.operators[k];
      await sound(instance.name, () => this.#calls.ask(instance, () => restore(instance, held)));
    }
  }

  /** Says that an operator writes at the end what it has gathered, of which checkpoints hold nothing. */
  #tellForgotten({ name, own, location, definition }: Call['instance']): void {
    const { finish, save, keeper } = definition;
    if (!finish || save || keeper || own === undefined) return;
    const place = location ? `${location.file}:${location.line}:${location.column}: ` : '';
    const { step } = this.#state;
    this.#state.say(
      `${place}warning: ${name} has lost what it kept up to step ${step}, because it gives nothing to checkpoints: write save and restore in its definition (docs/restart.md)`,
    );
  }

  /** All places of the graph, in its order. */
  get places(): readonly PlaceState[] {
    return [...new Set(this.#all.map(({ place }) => place))];
  }

  /** Calls that were the first at their places. */
  get #called(): Call[] {
    return [...this.#calls.called.values()].map(
      (instance) => this.#all.find((call) => call.instance === instance)!,
    );
  }

  /** All outputs of the graph, in its order. */
  get #cells(): OutputCell[] {
    return [...new Set(this.#all.flatMap(({ instance }) => instance.cells))];
  }

  #setOutputs(values: readonly Saved[]): void {
    const cells = this.#cells;
    if (values.length !== cells.length) throw otherGraph();
    cells.forEach((cell, k) => {
      cell.value = values[k] ?? cell.initial;
    });
  }

  #framesAt(path: readonly number[]): Frame[] {
    const frames = [this.#root];
    for (const at of path.slice(0, -1)) {
      const inner = frames.at(-1)!.items[at];
      if (inner?.kind !== 'batch') throw otherGraph();
      frames.push(inner);
    }
    frames.forEach((frame, k) => {
      frame.at = path[k]!;
    });
    operatorAt(frames.at(-1)!);
    return frames;
  }
}

/** What an operator saves. @throws CorpuscleError INVALID_VALUE */
async function saved(instance: OperatorInstance, save: NonNullable<OperatorDefinition['save']>) {
  const given = await save(instance);
  checkSaved(given, `what save of ${instance.name} gives`);
  return given;
}

function operatorAt({ items, at }: Frame): Call {
  const item = items[at];
  if (item?.kind !== 'operator') throw otherGraph();
  return item;
}

/**
 * Restores a part of a checkpoint. A checksum says that a file is whole, not what program has made it: what our own operators cannot
 * take is an error of the file.
 * @throws CorpuscleError FILE_FORMAT
 */
async function sound(part: string, restore: () => void | Promise<void>): Promise<void> {
  try {
    await restore();
  } catch (cause) {
    if (cause instanceof CorpuscleError && cause.code !== 'INTERNAL') throw cause;
    throw new CorpuscleError(
      'FILE_FORMAT',
      `the checkpoint does not hold what ${part} can be restored from: it is damaged, or made by another program`,
      { cause },
    );
  }
}

const otherGraph = (): CorpuscleError =>
  new CorpuscleError('FILE_FORMAT', 'the checkpoint is of a simulation with other operators');

const isPlain = (value: unknown): value is Saved =>
  ['boolean', 'number', 'string'].includes(typeof value);
