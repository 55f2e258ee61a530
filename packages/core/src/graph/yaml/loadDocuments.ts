import { CorpuscleError, type SourceLocation, suggesting } from '@corpuscle/functor/error';
import { closeSync, fstatSync, host, openSync, path, readSync } from '#core/platform';
import { joinBytes } from '../../io/bytes.js';
import { limits } from '../../io/limits.js';
import { whyUnreadable } from '../../io/whyUnreadable.js';
import type { Registry } from '../Registry.js';
import { applyOption, assertDocument } from './applyOption.js';
import { mergeMaps } from './mergeMaps.js';
import { parseYaml } from './parseYaml.js';
import { errorAt, locationOf, type MapEntry, type MapNode, type SourceNode } from './SourceNode.js';
import { SourceText } from './SourceText.js';
import type { Note } from './YamlConverter.js';

/** A document that a program writes instead of a file; names in it are relative to the working directory. */
export interface DocumentText {
  /** What messages call it. */
  readonly name: string;
  readonly text: string;
}

/** The bytes with which texts in UTF-16 begin, as some programs on Windows write them. */
const UTF_16 = [0xff, 0xfe];

/** How many files have been read so far, and a function that is told of mistakes that do not end it. */
interface Reading {
  files: number;
  readonly note: Note;
}

/**
 * One document from all there is, later ones on top: default documents, then every file, each after the files it
 * includes (depth first, relative to the including file), then the `--set` options.
 *
 * @param note told of equal keys in the files
 */
export function loadDocuments(
  files: readonly (string | DocumentText)[],
  registry: Registry,
  options: readonly string[],
  note: Note,
): MapNode {
  let document: MapNode | undefined;
  for (const { name, text } of registry.defaults) {
    const source = new SourceText('default', name, text, host.workingDirectory());
    document = mergeMaps(document, assertDocument(parseYaml(source)));
  }
  const reading = { files: 0, note };
  for (const file of files)
    document =
      typeof file === 'string'
        ? mergeFile(document, file, [], reading)
        : mergeSource(
            document,
            new SourceText('file', file.name, file.text, host.workingDirectory()),
            [],
            reading,
          );
  if (!document)
    throw new CorpuscleError('MISSING_VALUE', 'there is no file to load: name at least one');
  for (const option of options) document = applyOption(document, option, host.workingDirectory());
  return document;
}

function mergeFile(
  document: MapNode | undefined,
  file: string,
  open: readonly string[],
  reading: Reading,
  from?: SourceLocation,
): MapNode {
  const absolute = path.resolve(file);
  if (open.includes(absolute)) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${file} includes itself: remove one of the includes`,
      { location: from },
    );
  }
  if (++reading.files > limits.files) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `more than ${limits.files} files are included: include each of them once`,
      { location: from },
    );
  }
  const source = new SourceText('file', file, read(file, from), path.dirname(absolute));
  return mergeSource(document, source, [...open, absolute], reading, from);
}

/** What a source includes, and the source itself. */
function mergeSource(
  document: MapNode | undefined,
  source: SourceText,
  open: readonly string[],
  reading: Reading,
  from?: SourceLocation,
): MapNode {
  const content = from ? parseIncluded(source) : assertDocument(parseYaml(source, 0, reading.note));
  let result = document;
  const entries = new Map(content.entries);
  noteInclude(entries, reading.note);
  const includes = entries.get('includes')?.value;
  for (const { name, node } of includes ? includeNames(includes) : []) {
    const included = path.isAbsolute(name) ? name : path.join(path.dirname(source.name), name);
    result = mergeFile(result, included, open, reading, locationOf(node));
  }
  entries.delete('includes');
  return mergeMaps(result, { ...content, entries });
}

/** Takes `include` for `includes` where it names documents, so that nothing else is told of what they would give. */
function noteInclude(entries: Map<string, MapEntry>, note: Note): void {
  const entry = entries.get('include');
  if (!entry || entries.has('includes')) return;
  const names = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  const isDocument = (node: SourceNode) =>
    node.kind === 'scalar' && /\.ya?ml$/i.test(String(node.value));
  if (names.length === 0 || !names.every(isDocument)) return;
  entries.delete('include');
  entries.set('includes', entry);
  note(errorAt(entry, 'UNKNOWN_KEY', `unknown key 'include': ${suggesting('includes')}`));
}

/** A document that another one names. What is no document is not shown: the name may be that of any file. */
function parseIncluded(source: SourceText): MapNode {
  try {
    return assertDocument(parseYaml(source));
  } catch (error) {
    if (!(error instanceof CorpuscleError) || !error.location) throw error;
    const { file, line, column } = error.location;
    throw new CorpuscleError(
      'SYNTAX',
      `the included file ${file} is no YAML document of a simulation: check its name, or 'corpuscle check ${file}'`,
      { location: { file, line, column } },
    );
  }
}

function includeNames(node: SourceNode): { name: string; node: SourceNode }[] {
  return (node.kind === 'list' ? node.items : [node]).map((item) => {
    if (item.kind === 'scalar' && typeof item.value === 'string')
      return { name: item.value, node: item };
    throw errorAt(
      item,
      'WRONG_TYPE',
      'includes takes file names: write e.g. includes: [common.yaml]',
    );
  });
}

function read(file: string, location: SourceLocation | undefined): string {
  try {
    return textOf(file, location);
  } catch (cause) {
    if (cause instanceof CorpuscleError) throw cause;
    const message = `cannot read ${file}: ${whyUnreadable(cause)}, check its name`;
    throw new CorpuscleError('FILE_NOT_FOUND', message, { location, cause });
  }
}

/** Bytes that are read at once, at most. */
const PIECE = 65_536;

/** The text of a file, or of a pipe, which may have no end. @throws CorpuscleError INVALID_VALUE where it is too long */
function textOf(file: string, location: SourceLocation | undefined): string {
  // UTF-8 takes at most three bytes for a character of a string.
  const most = 3 * limits.documentLength;
  const descriptor = openSync(file, 'r');
  try {
    const status = fstatSync(descriptor);
    const room = status.isFile() ? Math.min(PIECE, Math.max(512, status.size + 1)) : PIECE;
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (let more = 1; more > 0 && size <= most; size += more) {
      const piece = new Uint8Array(room);
      more = readSync(descriptor, piece, 0, room, null);
      pieces.push(piece.subarray(0, more));
    }
    if (size > most) {
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the file ${file} has ${status.isFile() ? status.size : `more than ${most}`} bytes: a document may have ${limits.documentLength} characters`,
        { location },
      );
    }
    const bytes = joinBytes(pieces);
    if (bytes[0] === UTF_16[0] && bytes[1] === UTF_16[1]) {
      throw new CorpuscleError('SYNTAX', `the file ${file} is a text in UTF-16: save it as UTF-8`, {
        location,
      });
    }
    const text = new TextDecoder().decode(bytes);
    if (!text.includes('\n') && text.trimEnd().includes('\r')) {
      throw new CorpuscleError(
        'SYNTAX',
        `lines of the file ${file} end with CR, as on old machines: save it with line ends of Unix or Windows`,
        { location },
      );
    }
    return text;
  } finally {
    closeSync(descriptor);
  }
}
