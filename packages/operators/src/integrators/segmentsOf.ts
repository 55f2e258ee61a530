import { CorpuscleError, type SlotSpecs } from '@corpuscle/core';
import type { IntegratorPhase, IntegratorSpec, PhaseSlots } from './IntegratorSpec.js';

/** Phases between evaluations of forces: `late` are those between the update of the lists and the forces after it. */
export interface Segment<P> {
  readonly own: P[];
  readonly late: P[];
}

/** The phases before, between and after evaluations of forces, or before and after the step of another integrator. */
export function segmentsOf<S extends SlotSpecs>({
  name,
  phases,
}: IntegratorSpec<S>): Segment<IntegratorPhase<PhaseSlots<S>>>[] {
  const segments: Segment<IntegratorPhase<PhaseSlots<S>>>[] = [{ own: [], late: [] }];
  let isLate = false;
  for (const phase of phases) {
    if (typeof phase === 'object') segments.at(-1)![isLate ? 'late' : 'own'].push(phase);
    else if (phase !== 'lists') segments.push({ own: [], late: [] });
    isLate = phase === 'lists' || (isLate && typeof phase === 'object');
  }
  const steps = phases.filter((phase) => phase === 'step').length;
  const isSound = steps > 0 ? segments.length === 2 : segments.length > 1;
  if (isSound && !isLate && phases.some((phase) => typeof phase === 'object')) return segments;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the integrator '${name}' needs at least one phase, and 'forces', or 'step' once; 'lists' stands before 'forces'`,
  );
}
