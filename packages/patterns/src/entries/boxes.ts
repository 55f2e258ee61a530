/** A box whose strain is decided where forces are: names of its numbers, and what moves particles with it. */

export { followBox } from '../box/followBox.js';
export { leaveStrain, noteStrain } from '../box/leaveStrain.js';
export {
  boxNames,
  boxNumbers,
  rateNames,
  strainedBox,
  strainNames,
  strainParams,
  strainTo,
} from '../box/strainedBox.js';
