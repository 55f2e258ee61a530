import type { Domain, FieldBlock, Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import type { EngineCall } from '../engine/Engine.js';
import { isStrainEngine } from '../engine/StrainEngine.js';
import { completed } from '../handles/handles.js';
import { dispatch } from '../pattern/dispatch.js';
import { engineFor } from '../pattern/engineFor.js';
import { BoundCall, type PreparedCall } from '../pattern/PreparedCall.js';
import { ContextValue } from '../value/ContextValue.js';
import { HostValues } from '../value/HostValues.js';
import { followBox } from './followBox.js';
import type { PrescriptionOptions } from './Prescription.js';
import { boxNames, boxNumbers, strainedBox, strainNames, strainParams } from './strainedBox.js';

/** A box as a value, r · (1 + E) + T; `follow` comes after each change. */
export interface BoxStrain {
  readonly value: ContextValue;
  readonly follow: PreparedCall;
  /**
   * The numbers of the present box, `boxNames`, once `measure` has been called.
   * @internal
   */
  readonly box: ContextValue;
  /** @internal */
  readonly measure: PreparedCall;
  /**
   * Shears count from now on.
   * @internal
   */
  shear(): void;
  /** Tells the host the box as it is now. */
  know(): Promise<void>;
  /** The same, and the host may replace the box. */
  settle(): Promise<void>;
  /**
   * A call that gives the box a form which the host knows when the call is made, or a part of it; null where the host moves
   * particles with it.
   * @internal
   */
  readonly prescribe:
    | ((boxNow: () => Domain, options?: PrescriptionOptions) => PreparedCall)
    | null;
}

const known = new WeakMap<Grid, BoxStrain>();

/** The strain of a grid's box, the same for all that deform it. Lists stay good while it leaves some skin. On the host particles follow it at once. Kernels of a device do less while all ask for a `stretched` one. */
export function boxStrain(
  grid: Grid,
  ctx: ExecutionContext,
  at: 'engine' | 'host',
  form: 'sheared' | 'stretched' = 'sheared',
): BoxStrain {
  let strain = known.get(grid);
  if (!strain) {
    strain = (at === 'host' ? null : engineStrain(grid, ctx)) ?? new HostStrain(grid, ctx);
    known.set(grid, strain);
  }
  if (form === 'sheared') strain.shear();
  return strain;
}

function engineStrain(grid: Grid, ctx: ExecutionContext): BoxStrain | null {
  const { backend } = ctx;
  const engine = engineFor(ctx, backend);
  if (!isStrainEngine(engine)) return null;
  const made = engine.prepareStrain(grid);
  const position = [grid.block('position')];
  const bound = (name: string, call: EngineCall<void>, written: readonly FieldBlock[] = position) =>
    new BoundCall({
      ...{ ctx, name, call, grid, used: position, written, options: {}, params: {} },
      decision: { backend, form: 'particle', reason: 'the box is a value there' },
      complete: () => ({}),
    }) as PreparedCall;
  const value = new ContextValue(strainNames, made.values, ctx.engines);
  const box = new ContextValue(boxNames, made.box, ctx.engines);
  return {
    value,
    follow: bound('follow the box', made.call),
    box,
    measure: bound('measure the box', made.measure, []),
    shear: () => made.shear(),
    know: () => made.know(),
    settle: () => made.settle(),
    prescribe: made.prescribe
      ? (boxNow, options = {}) => bound('prescribe the box', made.prescribe!(boxNow, options))
      : null,
  };
}

/** The strain of a box that the host knows: it is taken in at once. */
class HostStrain implements BoxStrain {
  readonly value: ContextValue<(typeof strainNames)[number]>;
  readonly follow: PreparedCall;
  readonly box: ContextValue<(typeof boxNames)[number]>;
  readonly measure: PreparedCall;
  readonly prescribe = null;
  readonly #grid: Grid;

  constructor(grid: Grid, ctx: ExecutionContext) {
    this.#grid = grid;
    this.value = ctx.value({ xx: 0, yy: 0, zz: 0, yx: 0, zx: 0, zy: 0, x: 0, y: 0, z: 0 });
    this.follow = this.#prepare(ctx);
    const zeros = Object.fromEntries(boxNames.map((name) => [name, 0]));
    this.box = ctx.value(zeros as Record<(typeof boxNames)[number], number>);
    this.measure = this.#measure(ctx);
    grid.onFree(() => {
      this.value.close();
      this.box.close();
    });
  }

  shear(): void {}

  async know(): Promise<void> {}

  async settle(): Promise<void> {
    await this.follow.run();
  }

  /** In the order of calls: the host knows the box that the strain before has made. */
  #measure(ctx: ExecutionContext): PreparedCall {
    const { backend } = ctx;
    let latest: Domain | null = null;
    const start = () => {
      const { wholeDomain: domain } = this.#grid;
      if (domain !== latest) this.box.engineValues.write(boxNumbers(domain));
      latest = domain;
      return completed();
    };
    return {
      explain: { backend, form: 'particle', reason: 'the host knows the box' },
      run: () => dispatch(ctx, backend, [], this.#grid, start),
      close() {},
    };
  }

  #prepare(ctx: ExecutionContext): PreparedCall {
    const grid = this.#grid;
    const { engineValues: values } = this.value;
    const { backend } = ctx;
    const position = grid.block('position');
    const call = engineFor(ctx, backend).prepareCells({ grid, functor: followBox });
    let fetched: readonly number[] | null = null;
    const isHere = values instanceof HostValues;
    const fetch = async (): Promise<void> => {
      fetched = await values.read();
    };
    const start = () => {
      const numbers = isHere ? strainNames.map((_, k) => values.parameter(k)) : fetched!;
      if (numbers.every((number) => number === 0)) return completed();
      const moved = call.run({
        params: strainParams(numbers),
        asynchronous: false,
        lane: undefined,
      });
      grid.changeDomain(strainedBox(grid.wholeDomain, numbers));
      values.write(strainNames.map(() => 0));
      return moved;
    };
    const reason = 'the host knows the box';
    return {
      explain: { backend, form: 'particle', reason },
      run() {
        position.writesAsked++;
        const ready = isHere ? null : fetch;
        return dispatch(ctx, backend, [position], grid, start, { ready });
      },
      close() {},
    };
  }
}
