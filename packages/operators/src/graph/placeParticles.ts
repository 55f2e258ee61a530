import type { SimulationState } from '@corpuscle/core';
import type { ParticleFrame } from '../io/ParticleFrame.js';
import { createGrid, fillGrid, type TypeProperties } from '../particles/createGrid.js';
import { contextOf, gridKey } from './stateKeys.js';

/** Puts a frame into the run's grid, made on first use: lists and device buffers belong to the grid. */
export function placeParticles(state: SimulationState, frame: ParticleFrame): void {
  const types = typesOf(state, frame);
  const grid = state.find(gridKey);
  if (grid) fillGrid(grid, frame, types);
  else state.set(gridKey, createGrid(frame, types, contextOf(state).heap));
}

/** Particle types of a run; a run that names none takes those of its first particles, with mass 1. */
function typesOf(state: SimulationState, frame: ParticleFrame): readonly TypeProperties[] {
  const declared = state.simulation.particleTypes;
  if (declared.length > 0) return declared;
  return frame.species.map((name) => ({ name, mass: 1 }));
}
