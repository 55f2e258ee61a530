import { noParameters, type Shape } from './Shape.js';

const shifted: Shape = {
  name: 'gaussian',
  squared: false,
  evaluate: (x, _a, _b, _c, _n, _m) => {
    const s = Math.exp(-0.5 * x * x);
    return [s, -x * s];
  },
  parameters: noParameters,
};

const centered: Shape = {
  name: 'gaussian_squared',
  squared: true,
  evaluate: (x2, _a, _b, _c, _n, _m) => {
    const s = Math.exp(-0.5 * x2);
    return [s, -s];
  },
  parameters: noParameters,
};

/** e^(−x²/2); `plain` says that D_0 is 0, so that x² will do. */
export const gaussian = (plain: boolean): Shape => (plain ? centered : shifted);
