import { host } from '@corpuscle/core/platform';
import { type ParticleCopy, type PatternHandle, whenDone } from '@corpuscle/patterns';
import { openWorkThread } from '#operators/platform';
import type { LastGoodState } from '../../run/LastGoodState.js';
import { particlesOf } from '../frames/ParticleSource.js';
import { buffersOf } from './buffersOf.js';
import { doTask, type FrameTask, type MadeFrame } from './frameTask.js';
import type { WorkThread } from './WorkThread.js';

/** Particles of a frame that is worth the way to another thread. */
const LARGE = 8192;
/** Threads for large frames: a text of a million particles takes longer to make than a thousand steps on a fast device. */
const THREADS = Math.max(1, Math.min(8, Math.floor(host.threads() / 2)));
/** Frames that may be on their way, and their particles beside those of the first; a run waits for the first of more. */
const MOST = 64;
const MOST_PARTICLES = Math.max(4, THREADS) * 1_000_000;

/** Main thread → worker. */
export interface FrameRequest {
  readonly copy: ParticleCopy;
  readonly task: FrameTask;
  /** Memory for what is made. */
  readonly spare: readonly ArrayBuffer[];
}

/** Worker → main thread. */
export interface FrameAnswer extends MadeFrame {
  /** As it was given: its memory is of use for the next one. */
  readonly copy: ParticleCopy;
}

type Add = (made: unknown, onWritten?: () => void) => void | Promise<void>;

interface Frame {
  readonly copy: PatternHandle<ParticleCopy>;
  readonly count: number;
  readonly added: Promise<void>;
}

/**
 * Frames of a run on their way to their file. Large ones are made in threads of their own:
 *
 *   copy, maybe of a device ─▶ here, or in the thread: what the format makes of it ─▶ file, in the order of the frames
 *     ▲──────── memory ────────────────────────┘      ▲──────────── memory ───────────────┘
 *
 * Memory is used again: with new megabytes for each frame V8 would look for garbage every few frames, for as long as several steps.
 */
export class FrameQueue {
  /** Milliseconds for which runs have waited. */
  waited = 0;
  readonly #lastGood: () => Pick<LastGoodState, 'due' | 'keep'> | undefined;
  /** Made when large frames come, and given frames in turn; null where there are none, in a page for instance. */
  readonly #threads: (WorkThread<FrameRequest, FrameAnswer> | null)[] = [];
  #given = 0;
  #spareCopies: ParticleCopy[] = [];
  #spare: ArrayBuffer[] = [];
  /** Frames that are not in the file yet, the oldest first; each ends after the ones before. */
  readonly #underWay: Frame[] = [];
  #failure: { readonly error: unknown } | null = null;

  /** @param lastGood is made of the same particles when it is due. */
  constructor(lastGood: () => Pick<LastGoodState, 'due' | 'keep'> | undefined = () => undefined) {
    this.#lastGood = lastGood;
  }

  /** A copy that is not needed any more, for the memory of the next one. */
  spareCopy(): ParticleCopy | undefined {
    return this.#spareCopies.pop();
  }

  /**
   * Adds a frame of `count` particles.
   * @param add takes what the task makes, and may tell when it does not need it any more.
   * @returns a promise when too many are on their way: the run should wait for it.
   */
  push(
    copy: PatternHandle<ParticleCopy>,
    count: number,
    task: FrameTask,
    add: Add,
  ): void | Promise<void> {
    this.#assertSound();
    if (copy.done && count < LARGE && this.#underWay.length === 0)
      return add(this.#makeHere(copy.value, this.#completed(copy.value, task)));
    const before = this.#underWay.at(-1)?.added;
    const added = this.#follow(whenDone(copy), task, add, before);
    const frame: Frame = { copy, count, added };
    this.#underWay.push(frame);
    void frame.added.then(() => this.#underWay.splice(this.#underWay.indexOf(frame), 1));
    const behind = this.#underWay.slice(1).reduce((sum, one) => sum + one.count, 0);
    const isFull = this.#underWay.length > MOST || behind > MOST_PARTICLES;
    return isFull ? this.#wait() : undefined;
  }

  async #wait(): Promise<void> {
    const before = performance.now();
    await this.#finish(this.#underWay[0]);
    this.waited += performance.now() - before;
  }

  /** All frames so far are added. @throws what went wrong on the way */
  async settle(): Promise<void> {
    await this.#finish(this.#underWay.at(-1));
    this.#assertSound();
  }

  /** The same without an error, and the thread ends. */
  async close(): Promise<void> {
    await this.#finish(this.#underWay.at(-1));
    for (const thread of this.#threads.splice(0)) await thread?.close();
  }

  async #finish(frame: Frame | undefined): Promise<void> {
    frame?.copy.wait().catch(() => {}); // has the device deliver it now; its error comes by `added`
    await frame?.added;
  }

  /** Never rejects: the next call tells. */
  async #follow(
    copy: Promise<ParticleCopy>,
    task: FrameTask,
    add: Add,
    before: Promise<void> | undefined,
  ): Promise<void> {
    try {
      const made = await this.#make(await copy, task);
      await before;
      if (!this.#failure) await add(made, () => this.#spare.push(...buffersOf(made)));
    } catch (error) {
      await before;
      this.#failure ??= { error };
    }
  }

  async #make(copy: ParticleCopy, given: FrameTask): Promise<unknown> {
    const task = this.#completed(copy, given);
    const thread = copy.count < LARGE ? null : this.#nextThread();
    if (!thread) return this.#makeHere(copy, task);
    const spare = this.#spare.splice(0);
    const answer = await thread.ask({ copy, task, spare }, [...buffersOf(copy), ...spare]);
    this.#spareCopies = [answer.copy];
    this.#lastGood()?.keep(answer.sound);
    return answer.made;
  }

  #completed(copy: ParticleCopy, task: FrameTask): FrameTask {
    return { ...task, sound: this.#lastGood()?.due(copy, task) ?? null };
  }

  #nextThread(): WorkThread<FrameRequest, FrameAnswer> | null {
    const at = this.#given++ % THREADS;
    this.#threads[at] ??= openWorkThread('frameWorker.cjs', 'makes frames');
    return this.#threads[at];
  }

  #makeHere(copy: ParticleCopy, task: FrameTask): unknown {
    const { made, sound } = doTask(particlesOf(copy), task);
    this.#lastGood()?.keep(sound);
    return made;
  }

  #assertSound(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
