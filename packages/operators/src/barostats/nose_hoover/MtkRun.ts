import { type Saved, type SimulationState, stateKey } from '@corpuscle/core';
import { computeCellParticles } from '@corpuscle/patterns';
import { newBox } from '../../box/newBox.js';
import { degreesOfFreedom } from '../../integrators/degreesOfFreedom.js';
import { scaleVelocity } from '../../integrators/scaleVelocity.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import type { Tensor } from '../../run/thermo/thermoRow.js';
import { PressureMeter } from '../PressureMeter.js';
import { Mtk, type MtkOptions, type MtkSystem } from './Mtk.js';
import { kickInBox, moveInBox } from './moves.js';

/** The barostat of a run: what its two operators share. */
export const mtkKey = stateKey<MtkRun>('barostat', 'put nose_hoover_move before nose_hoover_kick');

/** A Nosé–Hoover barostat on the particles of a run. */
export class MtkRun {
  readonly #state: SimulationState;
  readonly #options: () => MtkOptions;
  readonly #meter: PressureMeter;
  #mtk: Mtk | null = null;
  #saved: Saved | undefined;

  /** @param options those of the present step */
  constructor(state: SimulationState, options: () => MtkOptions) {
    this.#state = state;
    this.#options = options;
    this.#meter = new PressureMeter(state);
  }

  /**
   * First half of a step: particles and box move.
   * @param before options of the step before, which a run begins with
   */
  async move(options: MtkOptions, before: MtkOptions): Promise<void> {
    const state = this.#state;
    const grid = state.get(gridKey);
    const system = await this.#measure();
    this.#mtk ??= new Mtk(before, grid.domain, system, this.#saved);
    const { box } = this.#mtk;
    const params = this.#mtk.first(options, system);
    computeCellParticles(grid, moveInBox, contextOf(state), { params });
    const domain = box.domain();
    newBox(state, domain, 'none');
    const flipped = box.flip(domain);
    if (flipped) newBox(state, flipped, 'none');
  }

  /** Second half, with the new forces. */
  async kick(options: MtkOptions): Promise<void> {
    const state = this.#state;
    const grid = state.get(gridKey);
    const ctx = contextOf(state);
    const mtk = this.#mtk!;
    computeCellParticles(grid, kickInBox, ctx, { params: mtk.kick(options, grid.count) });
    const scale = mtk.second(options, await this.#measure());
    if (scale !== 1) computeCellParticles(grid, scaleVelocity, ctx, { params: { scale } });
  }

  /** What the bath holds, with P V: the energy of the particles and this are conserved. */
  get bathEnergy(): number {
    const { count, domain } = this.#state.get(gridKey);
    // Before the first step chains and strain rates rest.
    if (!this.#mtk) return this.#options().pressure * domain.volume;
    return this.#mtk.bathEnergy({ count, degrees: degreesOfFreedom(this.#state) });
  }

  /** What a checkpoint keeps; null before the first step. */
  save(): Saved {
    return this.#mtk?.save() ?? this.#saved ?? null;
  }

  /** Goes on from what a checkpoint kept. */
  restore(saved: Saved): void {
    this.#saved = saved ?? undefined;
    this.#mtk = null;
  }

  /** Gives back the calls that measure the pressure. */
  close(): void {
    this.#meter.close();
  }

  async #measure(): Promise<MtkSystem> {
    const { count } = this.#state.get(gridKey);
    const [kinetic, virial] = await Promise.all([this.#meter.kinetic(), this.#meter.virial()]);
    return {
      count,
      degrees: degreesOfFreedom(this.#state),
      kinetic: inOrder(kinetic),
      virial: inOrder(virial),
    };
  }
}

/** xx, yy, zz, yz, xz, xy. */
const inOrder = ([xx, yy, zz, xy, xz, yz]: Tensor): number[] => [xx, yy, zz, yz, xz, xy];
