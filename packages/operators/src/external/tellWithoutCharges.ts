import type { SimulationState, SourceLocation } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { sumOfAll } from '../run/sumOfAll.js';

/** Says that no particle has a charge when an operator begins that acts on charges alone. It is no error: a later step may give some. */
export async function tellWithoutCharges(
  state: SimulationState,
  name: string,
  location: SourceLocation | undefined,
): Promise<void> {
  const { particleTypes } = state.simulation;
  const hasCharge = particleTypes.names.some((type) => particleTypes.get(type).charge !== 0);
  if (hasCharge || state.isResuming) return;
  const [grid, ctx] = [state.get(gridKey), contextOf(state)];
  await newestOnHost(grid, ctx, ['charge']);
  const charged = grid.values('charge').some((q) => q !== 0);
  if (sumOfAll(ctx, grid.count) === 0 || sumOfAll(ctx, Number(charged)) > 0) return;
  const place = location ? `${location.file}:${location.line}:${location.column}: ` : '';
  state.say(
    `${place}warning: ${name} does nothing, because no particle has a charge: give charge to a type of particle_types, or read charges from a file`,
  );
}
