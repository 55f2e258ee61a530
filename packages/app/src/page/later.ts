/* What the page loads after the engine has begun to load. */
export { Editor } from '../editor/Editor.js';
export { plots } from '../plots/plots.js';
export { recording } from './recording.js';
export { savedFiles } from './savedFiles.js';
export { trajectory } from './trajectory.js';
export { transport } from './transport.js';
export { viewed } from './viewed.js';
