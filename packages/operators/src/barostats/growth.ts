/** Pure helpers of value functors that change boxes by little: single precision must not lose the little. */
export const growthHelpers = {
  /** The cube root of 1 + t, less 1. */
  rootOf: (t: number) => {
    const c = (1 + t) ** (1 / 3);
    return t / (c * c + c + 1);
  },
  /** exp(t) − 1. */
  growth: (t: number) => {
    let sum = t * (1 + t * (1 / 2 + t * (1 / 6 + t * (1 / 24 + t * (1 / 120 + t * (1 / 720))))));
    if (Math.abs(t) > 0.03) sum = Math.exp(t) - 1;
    return sum;
  },
} as const;
