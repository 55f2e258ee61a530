import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import { strainNames } from '../../box/strainedBox.js';
import { strainOf } from '../box/DeviceStrain.js';
import type { StepCallOf } from '../calls/GpuCall.js';
import type { PairProgram } from '../calls/PairPrograms.js';
import type { CellKernelText } from '../kernels/cellKernel.js';
import { mayBePassed, passedFields } from '../kernels/passedValues.js';
import { noteBuffers } from '../neighbors/displacementText.js';
import { NEXT } from '../pattern/BoundBlocks.js';
import type { FusedPairs } from './PairGroup.js';
import { maySweep } from './sweepRule.js';
import { NOTHING, zeroedBlocks } from './zeroedBlocks.js';

/** Functors joined at most; bounds the number of parameters of a kernel. */
const MOST_JOINED = 6;
/** Values and parameters of the functors of one dispatch. */
const MOST_VALUES = 200;

type Cells = readonly StepCallOf<'cells'>[];
type Reductions = readonly StepCallOf<'reduction'>[];
type Values = readonly StepCallOf<'values'>[];

/** Particles up to which workgroups find values for themselves: their partial results are of no more blocks than a workgroup has threads. */
const MOST_PASSED = 2 ** 14;
/** Values and parameters of functors that they make then, beside those of cell calls. */
const MOST_PASSED_VALUES = 60;

/** What may be one kernel. */
export type JoiningRules = ReturnType<typeof joiningRules>;

/** @param most bindings of a kernel for buffers. @param isSingle whether reals are floats */
export function joiningRules(grid: Grid, most: number, isSingle: boolean) {
  const known = new Map<Functor, ReadonlySet<string>>();
  const isFew = (...calls: (readonly unknown[])[]) => calls.flat().length <= MOST_JOINED;
  const hasTotals = ({ call, args, zeroed }: FusedPairs): boolean =>
    call.intoValues(args, zeroed)?.length !== 0;
  /** Places of the values that a cell call takes as parameters. */
  const reads = ({ call, args }: StepCallOf<'cells'>): readonly number[] => [
    ...call.alone.text.tables.flatMap((tables) => tables.placesOf(args.params)),
    ...(usesPositions(call.alone.text) ? placesOfStrain(grid) : NO_PLACES),
  ];
  return {
    reads,
    /** Whether totals of a pair call go into values, or to the host. */
    hasTotals,
    /** Whether a cell call may share a kernel at all: it has no tables and is not written by hand. */
    mayShare: ({ call: { functor, alone } }: StepCallOf<'cells'>) =>
      mayJoinOthers(functor, alone.text),
    /** Whether a reduction may be the end of a kernel: the same, and its results are values. */
    mayEnd: ({ call: { functor, intoValues, alone } }: StepCallOf<'reduction'>) =>
      intoValues !== null && mayJoinOthers(functor, alone.text),
    /** Whether these calls fit one kernel. */
    mayJoin: (cells: Cells, reductions: Reductions) =>
      isFew(cells, reductions) && bindingsOf(cells, reductions) <= most,
    /** Whether these calls may follow a pair call in its kernel. */
    mayFollow: (pairs: FusedPairs, cells: Cells, reductions: Reductions) => {
      const { call, args, zeroed } = pairs;
      const totals = call.intoValues(args, zeroed);
      if (!totals || !isFew(cells, reductions)) return false;
      const places = new Set(totals.map(({ place }) => place));
      if (cells.some((cell) => reads(cell).some((place) => places.has(place)))) return false;
      const isStrained = strainOf(grid) !== undefined;
      const partials = reductions.length > 0 && totals.length === 0 ? 1 : 0;
      const texts = textsOf(cells, reductions);
      return mayExtend(call.programFor(args, zeroed), texts, most - partials, isStrained);
    },
    /** Whether a sweep may be part of the kernel of a pair call and these. */
    maySweep: (pairs: FusedPairs, cells: Cells, sweep: StepCallOf<'sweep'>) =>
      !hasTotals(pairs) && maySweep(pairs, cells, sweep, most),
    /** Whether these value functors may be one dispatch. */
    mayMeet: (values: Values) => isFew(values) && sizeOf(values) <= MOST_VALUES,
    /** Whether each workgroup of some cell calls may make these value functors for itself. */
    mayPrecede: (values: Values, cells: Cells) =>
      isSingle &&
      !strainOf(grid) &&
      grid.count <= MOST_PASSED &&
      sizeOf(values) <= MOST_PASSED_VALUES &&
      bindingsOf(cells, []) < most &&
      mayBePassed(values.map(({ call }) => call.placed)),
    /** Places of the values that a value functor sets. */
    writes: ({ call: { placed } }: StepCallOf<'values'>): readonly number[] =>
      passedFields(placed).flatMap(({ written, place }) => (written ? [place] : [])),
    /** The blocks that a cell call clears and that the pair call would only add to; none where it looks at them. */
    cleared: (
      { call: { functor } }: StepCallOf<'cells'>,
      { call, args }: StepCallOf<'pairs'>,
    ): ReadonlySet<string> => {
      const zeroed = known.get(functor) ?? zeroedBlocks(functor, grid);
      known.set(functor, zeroed);
      if (zeroed.size === 0) return NOTHING;
      return call.programFor(args, zeroed).fresh.size > 0 ? zeroed : NOTHING;
    },
  };
}

function mayJoinOthers(
  { spec }: { readonly spec: { readonly wgsl?: unknown } },
  { tables }: CellKernelText,
): boolean {
  return !tables[0]!.hasTables && !spec.wgsl;
}

const usesPositions = ({ blocks }: CellKernelText): boolean =>
  blocks.some(({ name }) => name === 'position');

const NO_PLACES: readonly number[] = [];

/** Values that kernels see positions through. */
function placesOfStrain(grid: Grid): readonly number[] {
  const strain = strainOf(grid);
  return strain ? strainNames.map((_, k) => strain.place + k) : NO_PLACES;
}

const textsOf = (cells: Cells, reductions: Reductions): CellKernelText[] =>
  [...cells, ...reductions].map(({ call }) => call.alone.text);

/** Bindings of one kernel for some cell calls and reductions, and a note of displacements. */
function bindingsOf(cells: Cells, reductions: Reductions): number {
  const names = new Set(
    textsOf(cells, reductions).flatMap(({ blocks }) => blocks.map(({ name }) => name)),
  );
  names.add('position');
  return names.size + noteBuffers.length + 1;
}

/** Numbers that value functors find in the record of one dispatch; infinite where one of several has tables. */
function sizeOf(values: Values): number {
  const parameters = values.map(({ call, args }) => {
    const numbers = Object.values(args.params);
    const hasTables = numbers.some((value) => typeof value !== 'number');
    return hasTables ? Infinity : numbers.length + call.placed.places.length;
  });
  return parameters.reduce((sum, size) => sum + size, 0);
}

/** Parameters that cell functors may add to a pair kernel: so its record never gets too long. */
const MOST_PARAMETERS = 40;

/**
 * Whether a pair kernel may go on with cell functors and reductions: none must write what other threads still read of neighbors.
 * @param cells kernels of each functor alone. @param bindings what is left for it. @param isStrained whether it looks at the strain of the box.
 */
function mayExtend(
  { extend, blocks, neighborBlocks, otherBindings }: PairProgram,
  cells: readonly CellKernelText[],
  bindings: number,
  isStrained: boolean,
): boolean {
  if (!extend) return false;
  const names = new Set([...blocks.map(({ name }) => name), NEXT]);
  let parameters = 0;
  for (const { tables, blocks: used } of cells) {
    for (const { name, written } of used) {
      if (written && neighborBlocks.has(name)) return false;
      names.add(name);
    }
    for (const { params } of tables) parameters += Object.keys(params).length;
  }
  const usesValues = cells.some(({ tables }) => tables.some(({ usesValues }) => usesValues));
  const values = usesValues || isStrained ? 1 : 0;
  return (
    parameters <= MOST_PARAMETERS &&
    otherBindings + names.size + noteBuffers.length + values <= bindings
  );
}
