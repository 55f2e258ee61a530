import { CorpuscleError, type DocumentText, pluginsOf } from '@corpuscle/core';

/** Plugins that a text names: a page runs none of their code. Where the text has other mistakes these are told instead. */
export function pluginsLeftOut(document: DocumentText): readonly CorpuscleError[] {
  try {
    return pluginsOf([document]).map(
      ({ name, location }) =>
        new CorpuscleError(
          'UNKNOWN_OPERATOR',
          `the page loads no plugins, so that what '${name}' has is missing here: type its potential under Potential, or run the file with corpuscle view FILE --run`,
          { location },
        ),
    );
  } catch {
    return [];
  }
}

/** Reads a text; where it has mistakes, others are told with them. */
export function withMistakes<R>(others: readonly CorpuscleError[], read: () => R): R {
  try {
    return read();
  } catch (error) {
    const [first, ...rest] = others;
    if (!first || !(error instanceof CorpuscleError)) throw error;
    const { code, message, location } = first;
    throw new CorpuscleError(code, message, {
      ...(location && { location }),
      more: [...rest, error, ...error.more],
    });
  }
}
