import type { Grid } from '@corpuscle/core';
import type { EngineCall } from '../../engine/Engine.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments } from '../../plan/calls.js';
import type { DeviceAllPairs } from '../allPairs/DeviceAllPairs.js';
import type { FollowStrain } from '../box/FollowStrain.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { ValueKernel } from '../values/ValueKernel.js';
import type { DeviceCells } from './DeviceCells.js';
import type { DevicePairs } from './DevicePairs.js';
import type { DeviceReduction } from './DeviceReduction.js';
import type { OtherPairs } from './OtherPairs.js';

/** What every call on particles knows of itself. */
export interface CallInfo {
  readonly grid: Grid;
  /** The functor, or what is done, for errors and profiles. */
  readonly name: string;
  /** The operator of a simulation that prepared it. */
  readonly operator: string;
}

/** A call that can be part of steps which run ahead: recorded for the first time, or again. */
export interface RecordedCall<R> extends EngineCall<R>, CallInfo {
  readonly kind: string;
  /** Records the call as it is now. */
  record(args: CallArguments): PatternHandle<R>;
}

/** A call that a fused step may hold. */
export type GpuCall =
  | DeviceCells
  | DevicePairs
  | DeviceReduction
  | DeviceAllPairs
  | OtherPairs
  | ListUpdates
  | FollowStrain
  | ValueKernel;
