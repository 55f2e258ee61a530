/** A sum over how many, or how much, there is: 0 over nothing, as LAMMPS has it, so that an empty group gives numbers. */
export const quotient = (sum: number, of: number): number => (of > 0 ? sum / of : 0);
