import type { CallArguments } from '../../plan/calls.js';
import type { DeviceAllPairs } from '../allPairs/DeviceAllPairs.js';
import type { DeviceSweep } from '../allPairs/DeviceSweep.js';
import type { FollowStrain } from '../box/FollowStrain.js';
import type { MeasuredStrain } from '../box/MeasuredStrain.js';
import type { PrescribedStrain } from '../box/PrescribedStrain.js';
import type { NeighborhoodPairs } from '../neighborhood/NeighborhoodPairs.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { ValueKernel } from '../values/ValueKernel.js';
import type { DeviceCells } from './DeviceCells.js';
import type { DevicePairs } from './DevicePairs.js';
import type { DeviceReduction } from './DeviceReduction.js';

/** A call that a fused step may hold. */
export type GpuCall =
  | DeviceCells
  | DevicePairs
  | DeviceReduction
  | DeviceAllPairs
  | DeviceSweep
  | NeighborhoodPairs
  | ListUpdates
  | FollowStrain
  | MeasuredStrain
  | PrescribedStrain
  | ValueKernel;

/** A call of a step of one kind, or of several, with its arguments. */
export interface StepCallOf<K extends GpuCall['kind']> {
  readonly call: Extract<GpuCall, { readonly kind: K }>;
  readonly args: CallArguments;
}

/** Any call of a step. */
export type GpuStepCall = StepCallOf<GpuCall['kind']>;

export const isOf = <K extends GpuCall['kind']>(
  one: GpuStepCall,
  kind: K,
): one is GpuStepCall & StepCallOf<K> => one.call.kind === kind;
