export { CorpuscleError, type ErrorCode, type SourceLocation } from '../error/CorpuscleError.js';
export { suggesting } from '../error/suggestion.js';
