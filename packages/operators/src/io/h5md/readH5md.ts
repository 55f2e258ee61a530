import { CorpuscleError } from '@corpuscle/core';
import { statSync } from '@corpuscle/core/platform';
import { openH5mdLink } from '#operators/platform';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import type { H5mdAnswer, H5mdRequest } from './H5mdServer.js';
import type { H5mdLink } from './h5mdLink.js';

/**
 * Reads the frames of an H5MD file, version 1: those at which positions were sampled, with what else the file has of their steps.
 * The group `trajectory` is read, else the first. A file whose writer was killed, or writes now, has all complete frames.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT; BACKEND_UNAVAILABLE without the optional package `h5wasm`
 */
export async function* readH5md(
  file: string,
  { types = [], onNote }: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const link = openH5mdLink();
  try {
    const { frames = 0, notes = [] } = await soon(link, file, { ask: 'open', file, types });
    for (const note of notes) onNote?.(note);
    for (let k = 0; k < frames; k++) {
      const { frame } = await soon(link, file, { ask: 'read', frame: k });
      yield frame!;
    }
  } finally {
    await link.ask({ ask: 'close' }).catch(() => undefined);
    await link.close();
  }
}

/** Milliseconds for which a file is read without an answer; it has ten more for every 100 KB. */
const PATIENCE = 30_000;

/** An answer, unless HDF5 finds no end in a file. */
async function soon(link: H5mdLink, file: string, request: H5mdRequest): Promise<H5mdAnswer> {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        void link.end();
        reject(
          new CorpuscleError(
            'FILE_FORMAT',
            `'${file}' is damaged: HDF5 finds no end in reading it`,
          ),
        );
      },
      PATIENCE + bytes / 10_000,
    );
  });
  try {
    return await Promise.race([link.ask(request), late]);
  } finally {
    clearTimeout(timer);
  }
}
