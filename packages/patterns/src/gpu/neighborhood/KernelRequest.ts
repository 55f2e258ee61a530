import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { FunctorIR } from '@corpuscle/functor/ir';
import type { OutputTarget } from '../../plan/calls.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { DeviceReals } from '../double/DeviceReals.js';
import type { FunctorTables } from '../kernels/FunctorTables.js';
import type { EntryFormat } from '../neighbors/EntryFormat.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import type { Scattered } from './scatter.js';

/** What the text of a kernel depends on. */
export interface KernelRequest {
  readonly functor: Functor;
  readonly ir: FunctorIR;
  readonly tables: FunctorTables;
  readonly grid: Grid;
  readonly outputs: Readonly<Record<string, OutputTarget>>;
  readonly orthorhombic: boolean;
  readonly format: EntryFormat;
  readonly reals: DeviceReals;
  /** Neighbors that a buffer holds. */
  readonly capacity: number;
  /** `all` particles fit, whatever they are; `first` notes those that do not; `rest` takes what `first` noted. */
  readonly pass: 'all' | 'first' | 'rest';
  /**
   * `whole`: the functor runs once, over the buffer. Functors of pairs with a context run in stages (`inStages`): `packed` over
   * the buffer, `each` as neighbors are met, without a buffer.
   */
  readonly visit: 'whole' | 'packed' | 'each';
  /** The kernel's name in errors and profiles. */
  readonly label: string;
}

export interface KernelText {
  readonly source: KernelSource;
  readonly blocks: readonly { name: string; written: boolean }[];
  readonly totals: readonly DeviceResult[];
  readonly scattered: readonly Scattered[];
}

/** Whether the particle's sums of what a functor in f32 computes are kept in double-single. */
export const gathers = ({ functor, reals }: Pick<KernelRequest, 'functor' | 'reals'>): boolean =>
  reals.state !== reals.pair && functor.spec.wgsl === undefined;
