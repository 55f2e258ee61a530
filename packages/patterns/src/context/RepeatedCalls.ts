import type { FieldBlock, Grid } from '@corpuscle/core';
import type { Functor } from '../functor/Functor.js';
import type {
  CellCall,
  NeighbourCall,
  OutputTarget,
  PairCall,
  ParameterValues,
} from '../pattern/PatternEngine.js';
import { isSameValue } from '../pattern/parameterValues.js';

/** A call as it was made before, checked and complete. */
export interface Repeated<C> {
  readonly call: C;
  /** Blocks of the grid that it uses. */
  readonly used: readonly FieldBlock[];
  /** Blocks that it writes. */
  readonly written: readonly FieldBlock[];
}

interface Known<C> extends Repeated<C> {
  /** Blocks that the grid had: fields are only ever added. */
  readonly blocks: number;
  /** Parameters that the call was given. */
  readonly names: number;
}

interface KnownPairs extends Known<PairCall> {
  /** Targets that the call gave, and how many. */
  readonly given: Targets;
  readonly targets: number;
}

interface GridCalls {
  readonly cells: Map<Functor, Known<CellCall>>;
  readonly pairs: Map<object, KnownPairs[]>;
  update: NeighbourCall | null;
}

type Options = Readonly<{ params?: object | undefined }>;
type Targets = Readonly<Record<string, OutputTarget | undefined>>;
type PairsAsked = Options & Readonly<{ rcut: number; outputs?: Targets; weights?: unknown }>;
type UpdateAsked = Readonly<{ rcut: number; skin?: unknown; ahead?: boolean }>;

const CELL_OPTIONS: ReadonlySet<string> = new Set(['params']);
const PAIR_OPTIONS: ReadonlySet<string> = new Set(['params', 'rcut', 'outputs', 'weights']);
const UPDATE_OPTIONS: ReadonlySet<string> = new Set(['rcut', 'skin', 'ahead']);
/** Functors remembered for a grid, and calls of one of pairs that have other outputs: with and without totals, and so on. */
const MOST_KNOWN = 64;
const MOST_KINDS = 8;

/**
 * The calls that a context has handed to its device. Steps make the same calls again and again: one that says nothing but
 * parameters, and the same ones as before, need not be checked again, and is the very object of before, which engines
 * recognise at a glance. Only calls with `lasting` parameters are kept: copies, which nobody changes.
 */
export class RepeatedCalls {
  readonly #byGrid = new WeakMap<Grid, GridCalls>();

  cell(grid: Grid, functor: Functor, options: Options): Repeated<CellCall> | null {
    const known = this.#byGrid.get(grid)?.cells.get(functor);
    if (!known || known.blocks !== grid.blocks.size || !isRepeatable.cell(options)) return null;
    return isSame(known, options.params) ? known : null;
  }

  pairs(grid: Grid, functors: object, options: PairsAsked): Repeated<PairCall> | null {
    const kinds = this.#byGrid.get(grid)?.pairs.get(functors);
    if (!kinds || !isRepeatable.pairs(options)) return null;
    for (let k = 0; k < kinds.length; k++) {
      const known = kinds[k]!;
      if (known.call.rcut !== options.rcut || !hasTargets(known, options.outputs)) continue;
      if (known.blocks === grid.blocks.size && isSame(known, options.params)) return known;
    }
    return null;
  }

  update(grid: Grid, options: UpdateAsked): NeighbourCall | null {
    const call = this.#byGrid.get(grid)?.update;
    if (!call || call.rcut !== options.rcut || call.skin !== options.skin) return null;
    return call.ahead === options.ahead && isRepeatable.update(options) ? call : null;
  }

  keepCell(functor: Functor, repeated: Repeated<CellCall>): void {
    const { grid, params } = repeated.call;
    const { cells } = this.#of(grid);
    if (cells.size === MOST_KNOWN) cells.clear();
    const names = Object.keys(params).length;
    cells.set(functor, { ...repeated, blocks: grid.blocks.size, names });
  }

  /** @param given the targets of outputs that the call names. */
  keepPairs(functors: object, given: Targets, repeated: Repeated<PairCall>): void {
    const { grid, params, rcut } = repeated.call;
    const { pairs } = this.#of(grid);
    if (pairs.size === MOST_KNOWN) pairs.clear();
    const names = Object.keys(params).length;
    const targets = Object.keys(given).length;
    const others = (pairs.get(functors) ?? []).filter(
      (known) => known.call.rcut !== rcut || !hasTargets(known, given),
    );
    const kept = { ...repeated, given: { ...given }, targets, blocks: grid.blocks.size, names };
    pairs.set(functors, [...others.slice(1 - MOST_KINDS), kept]);
  }

  keepUpdate(call: NeighbourCall): void {
    this.#of(call.grid).update = call;
  }

  #of(grid: Grid): GridCalls {
    let calls = this.#byGrid.get(grid);
    if (!calls) {
      calls = { cells: new Map(), pairs: new Map(), update: null };
      this.#byGrid.set(grid, calls);
    }
    return calls;
  }
}

/** Whether a call that asks for this may be kept: `repeated` would not see anything else. */
export const isRepeatable = {
  cell: (options: object): boolean => saysOnly(CELL_OPTIONS, options),
  pairs: (options: Readonly<{ weights?: unknown }>): boolean =>
    !options.weights && saysOnly(PAIR_OPTIONS, options),
  update: (options: object): boolean => saysOnly(UPDATE_OPTIONS, options),
};

function saysOnly(names: ReadonlySet<string>, options: object): boolean {
  for (const name in options) if (!names.has(name)) return false;
  return true;
}

function hasTargets(known: KnownPairs, given: Targets | undefined): boolean {
  let same = 0;
  for (const name in given) {
    if (known.given[name] !== given[name]) return false;
    same++;
  }
  return same === known.targets;
}

function isSame({ call, names }: Known<CellCall | PairCall>, given: object | undefined): boolean {
  let same = 0;
  const values = given as ParameterValues | undefined;
  for (const name in values) {
    if (!isSameValue(call.params[name], values[name]!)) return false;
    same++;
  }
  return same === names;
}
