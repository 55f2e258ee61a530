import { noParameters, type Shape } from './Shape.js';

/** (x − 1)² (1 + 2x), 0 beyond x = 1. */
export const cubic: Shape = {
  name: 'cubic',
  squared: false,
  evaluate: (x, _a, _b, _c, _n, _m) => {
    const t = x < 1 ? x - 1 : 0;
    return [t * t * (1 + 2 * x), 6 * x * t];
  },
  parameters: noParameters,
  end: 1,
};
