import { settable } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CommandStream } from './CommandStream.js';
import type { HeldResult } from './DispatchCapture.js';
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

/** A small result that is copied from a buffer. It waits where the buffers of the stream are elsewhere. */
export function copiedResult<R>(
  stream: CommandStream,
  from: Pick<HeldResult, 'buffer' | 'bytes' | 'offset'>,
  decode: (data: ArrayBuffer) => R,
): PatternHandle<R> {
  const handle = settable<R>(() => held.flush());
  const held: HeldResult = {
    ...from,
    receiver: {
      resolve: (data) => handle.resolve(decode(data)),
      reject: (error) => handle.reject(error),
    },
    flush() {
      stream.flush();
      stream.arrivals.watchClosely();
    },
  };
  if (!stream.capture.addResult(held)) recordResult(stream, held);
  return handle;
}

/** Records the copy of a result that waits no more. */
export function recordResult(stream: CommandStream, held: HeldResult): void {
  const { buffer, bytes, offset, receiver } = held;
  const place = stream.result(bytes, receiver);
  stream.copy(buffer, place.buffer, bytes, offset, place.offset);
  held.flush = () => place.flush();
}
