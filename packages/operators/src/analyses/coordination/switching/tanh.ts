import { noParameters, type Shape } from './Shape.js';

/** 1 − tanh x, as 2/(1 + e^(2x)): its digits do not cancel where it is small. */
export const tanh: Shape = {
  name: 'tanh',
  squared: false,
  evaluate: (x, _a, _b, _c, _n, _m) => {
    const e = Math.exp(-2 * x);
    const s = (2 * e) / (1 + e);
    return [s, -s * (2 - s)];
  },
  parameters: noParameters,
};
