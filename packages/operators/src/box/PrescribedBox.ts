import { type Domain, type Grid, type SimulationState, stateKey } from '@corpuscle/core';
import type { BoxStrain, PreparedCall } from '@corpuscle/patterns';
import type { PrescriptionOptions } from '@corpuscle/patterns/engines';
import { isDivided } from '../run/listBackend.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { strainFor } from './presentBox.js';
import { mapOf } from './setBox.js';

const prescribedBoxKey = stateKey<PrescribedBox>(
  'box that the host prescribes',
  'operators that deform the box make it',
);

/** A step that changes lengths by more would use up within a few others what lists allow for. */
const MOST = 1e-3;
/** Vectors of a strained box do not turn, but for rounding. */
const TURNED = 1e-13;

/** The box of a run where a device keeps its strain: the host writes that without waiting, and lists outlast it. */
export class PrescribedBox {
  readonly grid: Grid;
  /** The value itself. */
  readonly strain: BoxStrain;
  readonly #become: PreparedCall;
  #box: Domain;

  constructor(grid: Grid, strain: BoxStrain) {
    this.grid = grid;
    this.strain = strain;
    this.#box = grid.domain;
    this.#become = strain.prescribe!(() => this.#box);
  }

  /** A call that gives the particles the box of the moment at which it is made; they follow it. */
  call(boxNow: () => Domain, options?: PrescriptionOptions): PreparedCall {
    return this.strain.prescribe!(boxNow, options);
  }

  /** Gives the particles another box; they follow it. */
  become(box: Domain): void {
    this.#box = box;
    this.#become.run();
  }

  /** The host may give another box. */
  settle(): Promise<void> {
    return this.strain.settle();
  }
}

/** Whether a strain makes one box of the other, and lists outlast several such changes. */
export function isSmallChange(before: Domain, after: Domain): boolean {
  const { dxx, dxy, dxz, dyx, dyy, dyz, dzx, dzy, dzz } = mapOf(before, after);
  return (
    before.periodic.every((flag, k) => flag === after.periodic[k]) &&
    [dxy, dxz, dyz].every((x) => Math.abs(x) < TURNED) &&
    [dxx, dyx, dyy, dzx, dzy, dzz].every((x) => Math.abs(x) <= MOST)
  );
}

/** The box of a run that the host prescribes, if an operator has made it. */
export function findPrescribedBox(state: SimulationState): PrescribedBox | undefined {
  const box = state.find(prescribedBoxKey);
  return box?.grid === state.find(gridKey) ? box : undefined;
}

/** The same, made if need be; null where no device keeps the strain of a box. */
export function prescribedBoxOf(state: SimulationState): PrescribedBox | null {
  const present = findPrescribedBox(state);
  if (present) return present;
  const ctx = contextOf(state);
  if (!ctx.device || ctx.backend !== 'webgpu' || isDivided(state.simulation)) return null;
  const grid = state.get(gridKey);
  const strain = strainFor(grid, ctx, 'engine');
  if (!strain.prescribe) return null;
  const made = new PrescribedBox(grid, strain);
  state.set(prescribedBoxKey, made);
  state.renewCalls(); // kernels look at the strain from now on
  return made;
}
