import { expect, it } from 'vitest';
import { scaleVelocities } from './scaleVelocities.js';

const given = (count: number, temperature: number) => () =>
  scaleVelocities(new Float64Array(3 * count), new Float64Array(count).fill(1), temperature);

it('tells no particles from one particle', () => {
  expect(given(0, 1)).toThrow(
    expect.objectContaining({
      code: 'NO_PARTICLES',
      message: expect.stringMatching(/^there are no particles/),
    }),
  );
  expect(given(1, 1)).toThrow(
    expect.objectContaining({
      code: 'INVALID_VALUE',
      message: expect.stringMatching(/^one particle/),
    }),
  );
  expect(given(0, 0)).not.toThrow();
});
