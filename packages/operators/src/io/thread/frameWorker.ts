import { particlesOf } from '../frames/ParticleSource.js';
import type { FrameAnswer, FrameRequest } from './FrameQueue.js';
import { doTask } from './frameTask.js';
import { serve } from './serve.js';
import { useAgain } from './spareMemory.js';

/** A thread that makes frames while steps go on. */
serve(({ copy, task, spare }: FrameRequest): FrameAnswer => {
  useAgain(spare);
  const { made, sound } = doTask(particlesOf(copy), task);
  return { made: isSequence(made) ? [...made] : made, sound, copy };
});

/** Pieces that are made one by one cannot be sent. */
const isSequence = (made: unknown): made is Iterable<unknown> =>
  typeof made === 'object' && made !== null && 'next' in made;
