export { philox4x32 } from '../library/philox4x32.js';
