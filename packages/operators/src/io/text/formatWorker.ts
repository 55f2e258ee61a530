import { parentPort } from 'node:worker_threads';
import type { CorpuscleError } from '@corpuscle/core';
import { formatLammpsDump } from '../lammps_dump/formatLammpsDump.js';
import type { FormatAnswer, FormatRequest } from './FormatThread.js';

/** A thread that makes the text of frames while steps go on. */
parentPort?.on('message', ({ frame, columns }: FormatRequest) => {
  let answer: FormatAnswer;
  try {
    answer = { pieces: [...formatLammpsDump(frame, columns)] };
  } catch (error) {
    const { code = 'INTERNAL', message } = error as Partial<CorpuscleError> & Error;
    answer = { code, message };
  }
  const made = 'pieces' in answer ? answer.pieces : [];
  parentPort!.postMessage(
    answer,
    made.map(({ buffer }) => buffer as ArrayBuffer),
  );
});
