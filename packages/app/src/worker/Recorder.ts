import { CorpuscleError } from '@corpuscle/core';
import type { RecordedSize } from '../session/messages.js';
import { Movie } from './Movie.js';
import type { Stage } from './Stage.js';

/** Pictures a second of a movie. */
const RATE = 30;
/** Movies of runs end by themselves after so many pictures: five minutes. */
const MOST = 9000;

/** What has been recorded, as a file. */
export interface Recorded {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Pictures of any size as files, and movies of them. */
export class Recorder {
  readonly #stage: Stage;
  #movie: Movie | null = null;
  #size: RecordedSize = { width: 0, height: 0 };
  /** Steps from one picture of a movie to the next, and steps since the last. */
  #every = 1;
  #steps = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  get isRecording(): boolean {
    return this.#movie !== null;
  }

  /** What is seen, as PNG. @throws CorpuscleError INVALID_VALUE where nothing is */
  async picture(size: RecordedSize): Promise<Recorded> {
    const picture = await this.#stage.still(size);
    if (!picture) throw nothing();
    const { width, height, data } = picture;
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d')!.putImageData(new ImageData(data, width, height), 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return { name: 'particles.png', bytes };
  }

  /** Begins a movie. @throws CorpuscleError where the browser has no encoder for it */
  async begin(size: RecordedSize, every: number): Promise<void> {
    // Half as many samples of color as of brightness along each axis: sizes are even.
    this.#size = { width: 2 * Math.ceil(size.width / 2), height: 2 * Math.ceil(size.height / 2) };
    this.#movie = await Movie.open({ ...this.#size, rate: RATE });
    this.#every = every;
    this.#steps = 0;
  }

  /** After each step of a run. @returns a promise where the run waits: its picture is taken */
  atStep(): Promise<void> | undefined {
    if (!this.#movie || this.#steps++ % this.#every !== 0) return undefined;
    return this.add();
  }

  /** Adds what is seen. */
  async add(): Promise<void> {
    const movie = this.#movie;
    if (!movie || movie.pictures >= MOST) return;
    const picture = await this.#stage.still(this.#size);
    if (picture) await movie.add(picture);
  }

  /** Ends the movie; null where none has been begun. @throws CorpuscleError INVALID_VALUE where it has no picture */
  async end(): Promise<Recorded | null> {
    const movie = this.#movie;
    this.#movie = null;
    if (!movie) return null;
    if (movie.pictures === 0) throw nothing();
    return { name: 'particles.webm', bytes: await movie.end() };
  }
}

const nothing = () =>
  new CorpuscleError('INVALID_VALUE', 'there is nothing to record: show particles first');
