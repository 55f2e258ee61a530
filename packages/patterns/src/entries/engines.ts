/** What engines need that are put around an engine with memory of its own, such as ranks on cards. */

export { followBox } from '../box/followBox.js';
export {
  boxNames,
  boxNumbers,
  strainedBox,
  strainNames,
  strainParams,
  strainTo,
} from '../box/strainedBox.js';
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
