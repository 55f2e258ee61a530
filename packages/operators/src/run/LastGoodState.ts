import { imageFlags, type SimulationState, stateKey } from '@corpuscle/core';
import { copyParticles, newestOnHost, whenDone } from '@corpuscle/patterns';
import { formatFrame } from '../io/extended_xyz/formatFrame.js';
import type { ParticleFrame } from '../io/extended_xyz/ParticleFrame.js';
import { chooseColumns } from '../io/frames/chooseColumns.js';
import { blocksOf, type GridField } from '../io/frames/gridFrame.js';
import { ownBlocks } from '../io/frames/ownColumns.js';
import { type ParticleSource, particlesOf } from '../io/frames/ParticleSource.js';
import { type SoundTask, soundFrame } from '../io/thread/soundFrame.js';
import { typeNames } from '../system/placeParticles.js';
import { contextOf, gridKey } from './stateKeys.js';
import { toldByWriter } from './toldByWriter.js';

/** Where a run that fails writes it. */
const FILE = 'failed.xyz';
/** Milliseconds between two copies at least. */
const PERIOD = 2000;
/** A copy may take one part in so many of the time of a run. */
const SHARE = 300;

/** Of more particles on a device no first state is kept: the host would have a copy of all for it. */
const MOST_FIRST = 2 ** 24;

/** What it needs beside positions, types and ids. */
const FIELDS: readonly GridField[] = ['velocity', 'mass'];

/** The same, and image flags where particles have them. */
const fieldsOf = ({ blocks }: Pick<ParticleSource, 'blocks'>): readonly GridField[] =>
  blocks.has(imageFlags.name) ? [...FIELDS, 'image'] : FIELDS;

interface StepTime {
  readonly step: number;
  readonly time: number;
}

export const lastGoodKey = stateKey<LastGoodState>('last good state', 'put begin_run first');

/**
 * A copy of the last state of a run that was sound, for `failed.xyz` when the run fails. On the CPU it is at most some seconds old.
 * On a device nothing is read back for it: it is the first state of up to 16 million particles, or the last one that was read for a
 * frame.
 */
export class LastGoodState {
  readonly #state: SimulationState;
  readonly #dt: number;
  #frame: ParticleFrame | null = null;
  /** When the next copy is due. */
  #next = 0;
  /** The same where processes share a run: a step, which all of them know. */
  #nextStep = 0;
  readonly #first: number;
  readonly #begun = performance.now();

  constructor(state: SimulationState, dt: number) {
    this.#state = state;
    this.#first = state.step;
    this.#dt = dt;
    state.rescue = () => this.#write();
  }

  get isDue(): boolean {
    return performance.now() >= this.#next;
  }

  /** What makes the state of particles of a step, if one is due and they have all it needs. Then `keep` it. */
  due({ blocks }: Pick<ParticleSource, 'blocks'>, at: StepTime): SoundTask | null {
    if (!this.isDue || !FIELDS.every((name) => blocks.has(name))) return null;
    this.#next = performance.now() + PERIOD;
    const species = typeNames(this.#state);
    const { columns } = chooseColumns(this.#state, undefined, () => true);
    const properties = columns.filter((column) =>
      ownBlocks([column]).every((name) => blocks.has(name)),
    );
    const { step, time } = at;
    return { species, fields: fieldsOf({ blocks }), properties, step, time, dt: this.#dt };
  }

  /** Takes the state with which a run begins. */
  async takeFirst(): Promise<void> {
    const ctx = contextOf(this.#state);
    const grid = this.#state.get(gridKey);
    if (this.isDueForAll) return this.takeForAll();
    if (ctx.backend !== 'cpu' && grid.total > MOST_FIRST) return;
    if (isShared(this.#state)) return this.#takeOfAll();
    await newestOnHost(grid, ctx);
    this.take(grid);
  }

  /** Makes it here of the particles of the present step. */
  take(particles: ParticleSource): void {
    const begin = performance.now();
    const task = this.due(particles, this.#state);
    if (task) this.keep(soundFrame(particles, task));
    const now = performance.now();
    this.#next = now + Math.max(PERIOD, SHARE * (now - begin));
  }

  /** @param frame null where the state was not sound. */
  keep(frame: ParticleFrame | null): void {
    if (frame) this.#frame = frame;
  }

  /** Whether one of the particles of all processes is due: for all of them in the same step. */
  get isDueForAll(): boolean {
    const isOnCpu = contextOf(this.#state).backend === 'cpu';
    return isOnCpu && this.#state.step >= this.#nextStep && isShared(this.#state);
  }

  /** Takes one of the particles of all processes, which all of them call; the one that writes keeps it. */
  async takeForAll(): Promise<void> {
    const [state, began] = [this.#state, performance.now()];
    await this.#takeOfAll();
    const now = performance.now();
    const wait = Math.max(PERIOD, SHARE * (now - began));
    // Before the first steps nothing is known of their time.
    const done = state.step - this.#first;
    const steps = done > 0 ? (done / (began - this.#begun)) * wait : 1;
    const next = toldByWriter(state, () => Math.ceil(Math.min(steps, 10 * done + 10)));
    this.#nextStep = state.step + next;
  }

  /** Makes it of the particles of all processes, on the one that writes. */
  async #takeOfAll(): Promise<void> {
    const state = this.#state;
    const grid = state.get(gridKey);
    const names = blocksOf(fieldsOf(grid));
    const copy = await whenDone(copyParticles(grid, contextOf(state), names));
    this.#next = 0;
    if (!state.output.writes) return;
    const particles = particlesOf(copy);
    const task = this.due(particles, state);
    if (task) this.keep(soundFrame(particles, task));
  }

  /** Whether a frame that is copied now should have what one needs: of the particles of all processes where the one that writes says so. */
  async isWanted(): Promise<boolean> {
    const state = this.#state;
    if (!isShared(state)) return this.isDue;
    const { backend, order, device } = contextOf(state);
    if (backend === 'cpu') return false; // has copies of its own
    await order.settled(); // processes exchange numbers in one order
    await device?.started();
    return toldByWriter(state, () => Number(this.isDue)) > 0;
  }

  /** Takes one where that needs no device, if one is due. */
  async takeOnCpu(): Promise<void> {
    const ctx = contextOf(this.#state);
    if (ctx.backend !== 'cpu' || !this.isDue || isShared(this.#state)) return;
    const grid = this.#state.get(gridKey);
    await newestOnHost(grid, ctx);
    this.take(grid);
  }

  /** @returns what a message says of it. */
  async #write(): Promise<string | null> {
    const frame = this.#frame;
    if (this.#state.step === this.#first) return null; // nothing has been computed
    if (!this.#state.output.writes) return null;
    if (!frame) return 'no good state is known';
    await this.#state.output.writeWhole(FILE, formatFrame(frame));
    return `the last good state known, of step ${frame.step}, is in ${FILE}`;
  }
}

/** Fields that copies for files need now for the last good state too. */
export async function wantedFields(state: SimulationState): Promise<readonly GridField[]> {
  const isWanted = await state.find(lastGoodKey)?.isWanted();
  return isWanted ? fieldsOf(state.get(gridKey)) : [];
}

/** Whether other processes may have some of the particles. */
const isShared = (state: SimulationState): boolean =>
  contextOf(state).engines.host.sumShared !== undefined;
