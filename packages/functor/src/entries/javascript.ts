export type { JavaScriptEnv, LoweredJavaScript } from '../lower/javascript/JavaScriptEnv.js';
export { lowerToJavaScript } from '../lower/javascript/lowerToJavaScript.js';
