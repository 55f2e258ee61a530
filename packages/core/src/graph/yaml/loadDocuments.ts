import { readFileSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError, type SourceLocation } from '@corpuscle/functor/error';
import type { Registry } from '../Registry.js';
import { applyOption, assertDocument } from './applyOption.js';
import { mergeMaps } from './mergeMaps.js';
import { parseYaml } from './parseYaml.js';
import { errorAt, locationOf, type MapNode, type SourceNode } from './SourceNode.js';
import { SourceText } from './SourceText.js';

/**
 * One document from all there is, later ones on top: default documents, then every file, each behind the files it
 * includes (depth first, relative to the including file), then the `--set` options.
 */
export function loadDocuments(
  files: readonly string[],
  registry: Registry,
  options: readonly string[],
): MapNode {
  let document: MapNode | undefined;
  for (const { name, text } of registry.defaults) {
    const source = new SourceText('default', name, text, process.cwd());
    document = mergeMaps(document, assertDocument(parseYaml(source)));
  }
  for (const file of files) document = mergeFile(document, file, []);
  if (!document)
    throw new CorpuscleError('MISSING_VALUE', 'there is no file to load: name at least one');
  for (const option of options) document = applyOption(document, option, process.cwd());
  return document;
}

function mergeFile(
  document: MapNode | undefined,
  file: string,
  open: readonly string[],
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
  const source = new SourceText('file', file, read(file, from), path.dirname(absolute));
  const content = assertDocument(parseYaml(source));
  let result = document;
  const includes = content.entries.get('includes')?.value;
  for (const { name, node } of includes ? includeNames(includes) : []) {
    const included = path.isAbsolute(name) ? name : path.join(path.dirname(file), name);
    result = mergeFile(result, included, [...open, absolute], locationOf(node));
  }
  const entries = new Map(content.entries);
  entries.delete('includes');
  return mergeMaps(result, { ...content, entries });
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
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EISDIR'
          ? 'is a folder'
          : `cannot be read (${code})`;
    throw new CorpuscleError('FILE_NOT_FOUND', `the file ${file} ${reason}: check its name`, {
      location,
      cause,
    });
  }
}
