import { noParameters, type Shape } from './Shape.js';

/** (cos πx + 1)/2, 0 beyond x = 1. */
export const cosinus: Shape = {
  name: 'cosinus',
  squared: false,
  evaluate: (x, _a, _b, _c, _n, _m) => {
    if (x < 1) return [0.5 * (Math.cos(Math.PI * x) + 1), -0.5 * Math.PI * Math.sin(Math.PI * x)];
    return [0, 0];
  },
  parameters: noParameters,
  end: 1,
};
