export { CorpuscleError, type ErrorCode, type SourceLocation } from '../error/CorpuscleError.js';
