import { settable } from '../../handles/handles.js';
import type { CommandStream } from './CommandStream.js';
import type { Receiver, ResultPlace } from './ResultPage.js';

/** A small result on its way to the host. */
export class PendingResult<R> implements Receiver {
  readonly handle = settable<R>(() => this.place.flush());
  /** Where the next command writes it. */
  readonly place: ResultPlace;
  readonly #decode: (data: ArrayBuffer) => R;

  constructor(stream: CommandStream, bytes: number, decode: (data: ArrayBuffer) => R) {
    this.#decode = decode;
    this.place = stream.result(bytes, this);
  }

  resolve(data: ArrayBuffer): void {
    this.handle.resolve(this.#decode(data));
  }

  reject(error: unknown): void {
    this.handle.reject(error);
  }
}
