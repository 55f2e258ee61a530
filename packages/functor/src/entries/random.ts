export { philox4x32 } from '../library/philox4x32.js';
export { philoxWords } from '../library/philoxWords.js';
