import type { SimulationState } from './SimulationState.js';
import type { SlotSpecs, SlotValues } from './SlotSpec.js';

/**
 * What is computed only in the steps in which an operator reads it: the energy of the system, its virial, and the energy of
 * every particle (field `ep`). `virial_alone`: the virial where no energy is read beside it, which costs less; `virial_diagonal`:
 * its xx, yy and zz alone.
 */
export const needs = [
  'energy',
  'virial',
  'particle_energies',
  'virial_alone',
  'virial_diagonal',
] as const;
/** One of `needs`. */
export type Need = (typeof needs)[number];

/**
 * A number, the name of the slot that holds it, or a function of the slots; undefined where it is not given. A function says the same
 * in all steps between two in which an operator is due.
 */
export type StepCount<S extends SlotSpecs> =
  | number
  | NoInfer<keyof S & string>
  | ((slots: SlotValues<S>, state: SimulationState) => number | undefined);

/**
 * When an operator in a loop runs. Outside loops it runs whenever its batch does.
 *
 * @example
 * defineOperator({
 *   name: 'pressure_log',
 *   slots: { frequency: { type: 'integer', min: 1, default: 10, doc: 'steps between rows' } },
 *   every: 'frequency',
 *   atEnd: true,
 *   needs: ['energy', 'virial'],
 *   …
 * });
 */
export interface ScheduleSpec<S extends SlotSpecs> {
  /** Steps between executions, counted from `from`; 0: only at the end. Default: every pass. */
  readonly every?: StepCount<S>;
  /** The first step in which it runs. Default 0. */
  readonly from?: StepCount<S>;
  /** Whether it also runs in the last step of a run, and in the step in which the run is interrupted. Default false. */
  readonly atEnd?: boolean;
  /**
   * What it reads. Force operators compute it in the steps in which an operator that needs it is due; in others they would
   * have to do their work twice.
   */
  readonly needs?:
    | readonly Need[]
    | ((slots: SlotValues<S>, state: SimulationState) => readonly Need[]);
}
