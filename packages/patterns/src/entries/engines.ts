/** What engines need that are put around an engine with memory of its own, such as ranks on cards. */

export type { PrescriptionOptions } from '../box/Prescription.js';
export type {
  ArrivingRows,
  DeviceHalo,
  HaloBricks,
  HaloDevice,
  HaloFrame,
  HaloMove,
  HaloOrigin,
  HaloRegion,
  MovingRows,
  SentRows,
} from '../engine/DeviceHalo.js';
export type { DeviceMemory, DeviceNeeds } from '../engine/DeviceMemory.js';
export type { EngineStrain, StrainEngine } from '../engine/StrainEngine.js';
export { CallOrder } from '../handles/CallOrder.js';
export { totalsOf } from '../plan/totalsOf.js';
