import { CorpuscleError, type SimulationState, stateKey } from '@corpuscle/core';

const claimKey = stateKey<{ name: string; step: number }>(
  'what moves the box',
  'barostats and deform note it',
);

/**
 * Notes what moves the box in the present step.
 * @throws CorpuscleError INVALID_VALUE where something else has moved it in this step: each would undo what the other does.
 */
export function claimBox(state: SimulationState, name: string): void {
  const { step } = state;
  const claim = state.find(claimKey);
  if (!claim) {
    state.set(claimKey, { name, step });
    return;
  }
  if (claim.step === step && claim.name !== name)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${claim.name} and ${name} both move the box: leave one out, or give each a run of its own`,
    );
  claim.name = name;
  claim.step = step;
}
