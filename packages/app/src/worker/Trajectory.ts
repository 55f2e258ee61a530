import { CorpuscleError, type Grid } from '@corpuscle/core';
import { FrameGrid, findFormat, type ParticleFrame } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';
import type { Bonded } from '@corpuscle/view';

/** Numbers of a trajectory that are kept at most: 400 MB. */
const MOST = 5e7;

/** The frames of a file, any of which can be shown. */
export class Trajectory {
  readonly #name: string;
  readonly #context: ExecutionContext;
  readonly #grids: FrameGrid;
  readonly #frames: ParticleFrame[] = [];

  constructor(name: string, context: ExecutionContext) {
    this.#name = name;
    this.#context = context;
    this.#grids = new FrameGrid(context);
  }

  /**
   * Reads the file, as far as memory allows.
   * @returns how many frames there are.
   * @throws CorpuscleError FILE_FORMAT, INVALID_VALUE for a file of no format that is read
   */
  async read(onNote: (text: string) => void): Promise<number> {
    const { read, name } = findFormat(this.#name);
    if (!read)
      throw new CorpuscleError('INVALID_VALUE', `files of ${name} are not read: drop another file`);
    let numbers = 0;
    for await (const frame of read(this.#name, { onNote })) {
      numbers += 8 * frame.count;
      if (numbers > MOST && this.#frames.length > 0) {
        onNote(
          `only the first ${this.#frames.length} frames of ${this.#name} are shown: more do not fit into memory`,
        );
        break;
      }
      this.#frames.push(frame);
    }
    if (this.#frames.length === 0)
      throw new CorpuscleError('FILE_FORMAT', `${this.#name} has no frame`);
    return this.#frames.length;
  }

  /** How many frames there are. */
  get length(): number {
    return this.#frames.length;
  }

  /** A frame, and where it stands in the story. */
  at(k: number): {
    readonly grid: Grid;
    readonly context: ExecutionContext;
    readonly text: string;
    readonly bonds: readonly Bonded[];
  } {
    const frame = this.#frames[Math.min(Math.max(0, k), this.#frames.length - 1)]!;
    const { step, time } = frame;
    const parts = [
      step === undefined ? '' : `, step ${step}`,
      time === undefined ? '' : `, time ${time}`,
    ];
    const { bonds = [] } = frame;
    const grid = this.#grids.of(frame);
    return { grid, context: this.#context, text: parts.join(''), bonds: bonds ?? [] };
  }
}
