import { particlesOf } from '../frames/ParticleSource.js';
import type { FrameRequest } from './FrameQueue.js';
import { doTask } from './frameTask.js';
import { serve } from './serve.js';

/** A thread that makes frames while steps go on. */
serve(({ copy, task }: FrameRequest) => {
  const { made, sound } = doTask(particlesOf(copy), task);
  return { made: isSequence(made) ? [...made] : made, sound };
});

/** Pieces that are made one by one cannot be sent. */
const isSequence = (made: unknown): made is Iterable<unknown> =>
  typeof made === 'object' && made !== null && 'next' in made;
