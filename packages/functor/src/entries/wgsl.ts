export { doubleLibrary, doubleUses } from '../lower/wgsl/double/doubleLibrary.js';
export { doubleLiteral, joinDouble, splitDouble } from '../lower/wgsl/double/splitDouble.js';
export { lowerToWgsl } from '../lower/wgsl/lowerToWgsl.js';
export { doubleText } from '../lower/wgsl/real/doubleText.js';
export type { RealText } from '../lower/wgsl/real/RealText.js';
export { singleText } from '../lower/wgsl/real/singleText.js';
export { storageItem, storageWrite } from '../lower/wgsl/storageAccess.js';
export type { LoweredWgsl, WgslEnv, WgslField, WgslOptions } from '../lower/wgsl/WgslEnv.js';
export { wgslMember } from '../lower/wgsl/wgslNames.js';
