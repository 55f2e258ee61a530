/** Pure helpers of value functors that count steps, in two halves of 16 bits that single precision holds. */
export const countSteps = {
  /** The halves of the next step, or of the same where `by` is 0. */
  tick: (low: number, high: number, by: number) => {
    const sum = low + by;
    const carry = sum >= 65536 ? 1.0 : 0.0;
    return [sum - 65536 * carry, high + carry];
  },
  /** The angle of so many turns, of which whole ones are taken off. */
  angle: (turns: number) => 6.283185307179586 * (turns - Math.floor(turns + 0.5)),
} as const;
