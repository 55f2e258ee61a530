import type { SimulationState } from '@corpuscle/core';
import {
  type ContextValue,
  type PreparedCall,
  prepareCellParticles,
  prepareValues,
  type ValueReference,
} from '@corpuscle/patterns';
import { runBoxOf } from '../../box/RunBox.js';
import { scaleVelocity } from '../../integrators/scaleVelocity.js';
import { kickDrift, kick as plainKick } from '../../integrators/velocity_verlet/velocityVerlet.js';
import { referencesOf } from '../../run/contextValues.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import type { PressureMeter, Virial } from '../PressureMeter.js';
import { boxMoves, driftBeforeBox, halfNames } from './moves.js';
import type { MtkFunctors, MtkKind, MtkParams } from './mtkFunctors.js';

// biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
export type Call = PreparedCall<any, unknown>;

export function runAll(calls: readonly Call[]): void {
  for (const call of calls) call.run();
}

/** Halves of a step. */
export type Half = 'move' | 'kick';

/** What acts on the particles: chains and strain rates. */
export interface MtkBath {
  readonly kind: MtkKind;
  readonly functors: MtkFunctors;
  readonly own: ContextValue<string>;
  readonly params: MtkParams;
}

/** Second half of a step in which box and chains act. */
interface Acting {
  readonly calls: readonly Call[];
  /** Those of them that nothing else uses. */
  readonly mine: readonly Call[];
  /** Whether the virial is a value then. */
  readonly isWhole: boolean;
}

export const KINETIC = ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'] as const;
const VIRIAL = ['vxx', 'vyy', 'vzz', 'vxy', 'vxz', 'vyz'] as const;

/** The prepared calls of a Nosé–Hoover barostat. */
export class MtkCalls {
  /** What they were made for: see `SimulationState.renewCalls`. */
  readonly version: number;
  /** First half of a step in which box and chains act. */
  readonly move: readonly Call[];
  /** First half of the last step where several are one. */
  readonly last: readonly Call[];
  /** Halves of a step in which they rest. */
  readonly rest: Readonly<Record<Half, readonly Call[]>>;
  readonly #state: SimulationState;
  readonly #meter: PressureMeter;
  readonly #halfDt: number;
  readonly #bath: MtkBath;
  /** By the virial of a step: fused steps of each wait and come again. */
  readonly #acting = new Map<Virial | null, Acting>();

  constructor(state: SimulationState, meter: PressureMeter, dt: number, bath: MtkBath) {
    this.version = state.callsVersion;
    this.#state = state;
    this.#meter = meter;
    this.#halfDt = dt / 2;
    this.#bath = bath;
    const grid = state.get(gridKey);
    const ctx = contextOf(state);
    const halfDt = dt / 2;
    const { own, functors, params } = bath;
    const values = this.#values as never;
    const { move, taken } = boxMoves(bath.kind.coupling, bath.kind.isLeaning);
    const moveParams = { dt, halfDt, scale: own.of('scale'), ...this.#ofOwn(taken.move) } as never;
    const { follow } = runBoxOf(state);
    this.move = [
      prepareValues(functors.first, ctx, { values, params }),
      follow,
      prepareCellParticles(grid, move, ctx, { params: moveParams }),
    ];
    const ways = { dt, halfDt, ...this.#ofOwn(halfNames) } as never;
    this.last = bath.kind.isLong
      ? [
          prepareValues(functors.last, ctx, { values, params }),
          follow,
          prepareCellParticles(grid, driftBeforeBox, ctx, { params: ways }),
        ]
      : [];
    this.rest = {
      move: [prepareCellParticles(grid, kickDrift, ctx, { params: { dt, halfDt } })],
      kick: [prepareCellParticles(grid, plainKick, ctx, { params: { halfDt } })],
    };
  }

  /** Second half, for what forces compute in this step. */
  get acting(): Acting {
    const { virial } = this.#meter.bound;
    const known = this.#acting.get(virial);
    if (known) return known;
    const acting = this.#prepareActing();
    this.#acting.set(virial, acting);
    return acting;
  }

  #prepareActing(): Acting {
    const grid = this.#state.get(gridKey);
    const ctx = contextOf(this.#state);
    const { bound, fetched } = this.#meter;
    const { kind, own, functors, params } = this.#bath;
    const virial = VIRIAL.map((name, k) => [name, (bound.virial ?? fetched)[k]]);
    const values = { ...this.#values, ...Object.fromEntries(virial) } as never;
    const ways = boxMoves(kind.coupling, kind.isLeaning);
    const kickParams = { halfDt: this.#halfDt, ...this.#ofOwn(ways.taken.kick) } as never;
    const kick = prepareCellParticles(grid, ways.kick, ctx, { params: kickParams });
    const second = prepareValues(functors.second, ctx, { values, params });
    const scaled = { scale: own.of('scaleLast') };
    const scale = kind.isHot
      ? [prepareCellParticles(grid, scaleVelocity, ctx, { params: scaled })]
      : [];
    return {
      calls: [kick, bound.kinetic, ...bound.sums, second, ...scale],
      mine: [kick, second, ...scale],
      isWhole: bound.virial !== null,
    };
  }

  /** Values that both functors use. */
  get #values(): Readonly<Record<string, ValueReference>> {
    const { own } = this.#bath;
    const kinetic = KINETIC.map((name) => [`k${name}`, this.#meter.value.of(name)]);
    return {
      ...referencesOf(own),
      ...runBoxOf(this.#state).references,
      ...Object.fromEntries(kinetic),
    };
  }

  #ofOwn(names: readonly string[]): Readonly<Record<string, ValueReference>> {
    return referencesOf(this.#bath.own, names);
  }

  /** Gives the calls back. */
  close(): void {
    const { follow } = runBoxOf(this.#state);
    const { move, last, rest } = this;
    for (const call of [...move, ...last, ...rest.move, ...rest.kick])
      if (call !== follow) call.close();
    for (const { mine } of this.#acting.values()) for (const call of mine) call.close();
    this.#acting.clear();
  }
}
