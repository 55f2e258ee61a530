import { CorpuscleError } from '@corpuscle/core';
import type { FileHandle } from '@corpuscle/core/platform';
import { openInput, readFailed } from './openInput.js';

/**
 * A binary file that is read piece by piece. What the file says of sizes is compared with what is left of it before
 * anything is allocated.
 */
export class ByteSource {
  readonly file: string;
  readonly bytes: number;
  /** Where the next `take` begins. */
  position = 0;
  readonly #handle: FileHandle;

  private constructor(file: string, handle: FileHandle, bytes: number) {
    this.file = file;
    this.#handle = handle;
    this.bytes = bytes;
  }

  /** @throws CorpuscleError FILE_NOT_FOUND */
  static async open(file: string): Promise<ByteSource> {
    const { handle, status } = await openInput(file, (found) => found.isFile());
    return new ByteSource(file, handle, status.size);
  }

  /** Bytes from `position` to the end. */
  get left(): number {
    return Math.max(0, this.bytes - this.position);
  }

  /** The next bytes. @throws CorpuscleError FILE_FORMAT when there are fewer. */
  async take(length: number, what: string): Promise<DataView> {
    const view = await this.at(this.position, length, what);
    this.position += length;
    return view;
  }

  /** Bytes anywhere in the file. @throws CorpuscleError FILE_FORMAT when there are fewer, or the disk fails. */
  async at(position: number, length: number, what: string): Promise<DataView> {
    if (!(position >= 0 && length >= 0 && position + length <= this.bytes))
      this.fail(
        `the file is too short for ${what} (${length} bytes at ${position} of ${this.bytes})`,
      );
    const buffer = new Uint8Array(length);
    let read = 0;
    while (read < length) {
      const { bytesRead } = await this.#handle
        .read(buffer, read, length - read, position + read)
        .catch((cause: unknown) => {
          throw readFailed(this.file, cause);
        });
      if (bytesRead === 0) this.fail(`the file ended while ${what} was read`);
      read += bytesRead;
    }
    return new DataView(buffer.buffer);
  }

  /** Ends reading. */
  fail(message: string): never {
    throw new CorpuscleError('FILE_FORMAT', `'${this.file}': ${message}`);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
