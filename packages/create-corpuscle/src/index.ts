export { create } from './create.js';
