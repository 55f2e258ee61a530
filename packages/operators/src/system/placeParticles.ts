import { knownSlots, operatorsOf, type SimulationState, stateKey } from '@corpuscle/core';
import { boxReplaced } from '../box/newBox.js';
import { countImages, placeImages } from '../images/countImages.js';
import { noteFileImages } from '../images/FollowedFrames.js';
import type { ParticleFrame } from '../io/extended_xyz/ParticleFrame.js';
import { particleLocation } from '../io/extended_xyz/particleLocation.js';
import { keepColumns } from '../io/frames/fileColumns.js';
import { noteOtherParticles } from '../run/freshness.js';
import { contextOf, gridKey, ownParticles } from '../run/stateKeys.js';
import { refillProperties } from '../sets/properties/fillProperty.js';
import { createGrid, domainOf, fillGrid, type TypeProperties } from './createGrid.js';
import { checkMemory } from './memoryNeeds.js';

const speciesKey = stateKey<readonly string[]>('species', 'put lattice or read_extended_xyz first');

/** Names of the types of the particles that are there, in the order of their indices. */
export const speciesOf = (state: SimulationState): readonly string[] => state.get(speciesKey);

/** Names of the types for files: those declared, else those of the particles; none where none are named. */
export function typeNames(state: SimulationState): readonly string[] {
  const declared = state.simulation.particleTypes.names;
  return declared.length > 0 ? declared : (state.find(speciesKey) ?? []);
}

/** Names the types of the particles that are there. */
export const setSpecies = (state: SimulationState, species: readonly string[]): void =>
  state.set(speciesKey, species);

/**
 * Puts a frame into the run's grid, made on first use: lists and device buffers belong to it. Frames are in the user's units,
 * whose lengths, times, masses and charges are the internal ones (`UnitSystem`).
 * Where a barostat may have deformed the box, await `settledBox` before.
 * @param isOfKnown the frame moves particles that are there, so that they keep the columns of their file
 * @throws CorpuscleError OUT_OF_MEMORY where they cannot fit
 */
export function placeParticles(
  state: SimulationState,
  frame: ParticleFrame,
  { isOfKnown = false } = {},
): void {
  const volume = frame.lattice ? domainOf(frame).volume : 0;
  checkMemory(state, { count: frame.count, volume });
  const types = typesOf(state, frame);
  setSpecies(
    state,
    types.map(({ name }) => name),
  );
  const grid = state.find(gridKey);
  if (grid) {
    fillGrid(grid, frame, types);
    boxReplaced(state);
  } else ownParticles(state, createGrid(frame, types, contextOf(state).heap));
  if (frame.image) placeImages(state.get(gridKey), frame.image);
  else if (unwraps(state)) countImages(state.get(gridKey), contextOf(state));
  noteFileImages(state, Boolean(frame.image));
  if (!isOfKnown) keepColumns(state, frame);
  refillProperties(
    state,
    types.map(({ name }) => name),
  );
  noteOtherParticles(state, particleLocation(frame));
}

const unwraps = ({ simulation }: SimulationState): boolean =>
  [...operatorsOf(simulation.root)].some((node) => {
    const { unwraps: asked } = node.definition;
    return typeof asked === 'function' ? asked(knownSlots(node)) : asked;
  });

/** Particle types of a run; a run that names none takes those of its particles, with mass 1. */
function typesOf(state: SimulationState, frame: ParticleFrame): readonly TypeProperties[] {
  const declared = state.simulation.particleTypes.all;
  if (declared.length > 0) return declared;
  return frame.species.map((name) => ({ name, mass: 1 }));
}
