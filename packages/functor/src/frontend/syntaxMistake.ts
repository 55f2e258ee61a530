import { parse } from 'acorn';

/** Why a text is no JavaScript, and where: lines and columns count from 1. */
export interface SyntaxMistake {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/**
 * What is wrong with the text of a script, for editors: engines of JavaScript do not tell the place.
 * @returns null where the text can be parsed
 *
 * @example
 * syntaxMistake('const a = 1;\nconst b = ;'); // { message: 'Unexpected token', line: 2, column: 11 }
 */
export function syntaxMistake(text: string): SyntaxMistake | null {
  try {
    parse(text, { ecmaVersion: 'latest', allowReturnOutsideFunction: true });
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { loc } = error as SyntaxError & {
      readonly loc?: { readonly line: number; readonly column: number };
    };
    const message = error.message.replace(/ \(\d+:\d+\)$/, '');
    return { message, line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 };
  }
}
