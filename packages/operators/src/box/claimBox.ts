import { type SimulationState, stateKey } from '@corpuscle/core';
import { bothMove } from './bothMove.js';
import type { Strain } from './strainBox.js';

/** Lengths of a box (`xx` …) and tilts (`xy` …). */
export type BoxPart = keyof Strain;

interface Claim {
  readonly name: string;
  readonly step: number;
  readonly parts: readonly BoxPart[];
}

const claimKey = stateKey<readonly Claim[]>('what moves the box', 'barostats and deform note it');

/**
 * Notes what of the box an operator moves in the present step.
 * @throws CorpuscleError INVALID_VALUE where something else has moved the same in this step: each would undo what the other does.
 */
export function claimBox(state: SimulationState, name: string, parts: readonly BoxPart[]): void {
  const { step } = state;
  const others = (state.find(claimKey) ?? []).filter(
    (one) => one.step === step && one.name !== name,
  );
  for (const other of others) {
    const both = other.parts.filter((part) => parts.includes(part));
    if (both.length > 0) throw bothMove([other.name, name], both);
  }
  state.set(claimKey, [...others, { name, step, parts }]);
}
