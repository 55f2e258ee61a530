import { expect, it } from 'vitest';
import { Movie } from './Movie.js';

it('one sentence tells where movies are not encoded, as in Node', async () => {
  await expect(Movie.open({ width: 1280, height: 720, rate: 30 })).rejects.toThrow(
    /^this browser encodes no movie of 1280x720 .*corpuscle render --movie$/,
  );
});
