/** A whole number to be added, as text; nothing for zero. */
export const plus = (n: number): string => (n === 0 ? '' : ` + ${n}u`);

/** A whole number to multiply by, as text; nothing for one. */
export const times = (n: number): string => (n === 1 ? '' : ` * ${n}u`);
