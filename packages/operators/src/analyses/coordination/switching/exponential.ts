import { noParameters, type Shape } from './Shape.js';

/** e^(−x). */
export const exponential: Shape = {
  name: 'exponential',
  squared: false,
  evaluate: (x, _a, _b, _c, _n, _m) => {
    const s = Math.exp(-x);
    return [s, -s];
  },
  parameters: noParameters,
};
