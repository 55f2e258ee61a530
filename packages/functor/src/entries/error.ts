export { CorpuscleError, type ErrorCode, type SourceLocation } from '../error/CorpuscleError.js';
export { fromCaller, isOfCaller } from '../error/fromCaller.js';
export { suggesting } from '../error/suggestion.js';
