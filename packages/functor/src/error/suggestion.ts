/** How a message suggests the name that is meant. Errors find it there again: `CorpuscleError.suggestion`. */
export const suggesting = (name: string): string => `did you mean '${name}'?`;

/** The name that a message suggests, if it does. */
export const suggestionIn = (message: string): string | undefined =>
  /did you mean '([^']+)'\?/.exec(message)?.[1];
