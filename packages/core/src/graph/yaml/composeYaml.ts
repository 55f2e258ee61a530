import type { CorpuscleError } from '@corpuscle/functor/error';
import { Composer, type Document, Lexer, Parser, type YAMLParseError } from 'yaml';
import { limits } from '../../io/limits.js';
import type { SourceText } from './SourceText.js';
import { yamlMistake } from './yamlMistake.js';

/** Where the parser says that something is wrong: a character, a range, or a piece of the text. */
type Place = number | readonly number[] | { readonly offset: number; readonly source?: string };

/**
 * The YAML document in `text`, which stands in `source` from character `offset` on. The first mistake ends it: a text of
 * mistakes only must not cost more than a right one. Depth is checked while tokens are read, as composing recurses.
 *
 * @throws CorpuscleError SYNTAX with the place of the first mistake.
 */
export function composeYaml(source: SourceText, offset: number): Document {
  const text = source.text.slice(offset);
  let first: CorpuscleError | undefined;
  const fail = (message: string, start: number, end: number): never => {
    // The library catches what is thrown inside, and reports it as a mistake of the node around it.
    first ??= source.error('SYNTAX', message, start + offset, end + offset);
    throw first;
  };
  const tell = (code: string, given: string, [from, to]: readonly [number, number]): never => {
    const { message, start, end } = yamlMistake(text, {
      code,
      message: given,
      start: from,
      end: to,
    });
    return fail(message, start, end);
  };
  if (text.length > limits.documentLength)
    fail(
      `the document has ${text.length} characters, and may have ${limits.documentLength}: put large data into files of their own`,
      0,
      1,
    );
  // Equal keys are found when nodes are made: the library compares each key with all before it.
  const composer = new Composer({ uniqueKeys: false, strict: true });
  Object.assign(composer, {
    onError: (place: Place, code: YAMLParseError['code'], message: string) => {
      tell(code, message, rangeOf(place));
    },
  });
  let result: Document | undefined;
  for (const document of composer.compose(tokens(text, fail), true, text.length)) {
    if (result)
      fail(
        'a file holds one document: remove the second one after ---',
        document.range[0],
        document.range[1],
      );
    result = document;
    // Unknown tags are warnings to the parser; to a simulation they are mistakes too.
    const mistake = document.errors[0] ?? document.warnings[0];
    if (mistake) tell(mistake.code, mistake.message, mistake.pos);
  }
  return result!;
}

function* tokens(text: string, fail: (message: string, start: number, end: number) => never) {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    // A map or list takes at most two places of the stack, the document one.
    if (parser.stack.length > 2 * limits.documentDepth + 1)
      fail(TOO_DEEP, parser.offset, parser.offset + 1);
  }
  yield* parser.end();
}

/** For what is nested too deeply, whether as text or by aliases. */
export const TOO_DEEP = `maps and lists lie more than ${limits.documentDepth} deep inside each other: name parts of it as batches`;

function rangeOf(place: Place): [number, number] {
  if (typeof place === 'number') return [place, place + 1];
  if ('offset' in place) return [place.offset, place.offset + (place.source?.length ?? 1)];
  return [place[0]!, place[1]!];
}
