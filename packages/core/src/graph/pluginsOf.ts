import type { SourceLocation } from '@corpuscle/functor/error';
import { Registry } from './Registry.js';
import { type DocumentText, loadDocuments } from './yaml/loadDocuments.js';
import { describeNode, errorAt, locationOf, type MapNode } from './yaml/SourceNode.js';

/** A module with operators that a document names. */
export interface PluginName {
  /** A package, or a path that begins with a dot or is absolute. */
  readonly name: string;
  /** The folder of the file that names it: paths are relative to it, and packages are looked for from there. */
  readonly directory: string;
  readonly location: SourceLocation;
}

/**
 * What `plugins: ['@scope/package', './mine.ts']` of files names, those they include among them. Nothing is loaded: a program
 * that wants their operators imports them into its registry, when its user has allowed it.
 *
 * @throws CorpuscleError FILE_NOT_FOUND or SYNTAX for the files; WRONG_TYPE for names that are no texts
 *
 * @example
 * for (const { name } of pluginsOf(['melt.yaml'])) console.log(name);
 */
export function pluginsOf(
  files: readonly (string | DocumentText)[],
  set: readonly string[] = [],
): readonly PluginName[] {
  return pluginNames(loadDocuments(files, new Registry(), set, () => {}));
}

/** What `plugins` of a document names. @throws CorpuscleError WRONG_TYPE */
export function pluginNames(document: MapNode): readonly PluginName[] {
  const plugins = document.entries.get('plugins')?.value;
  if (!plugins) return [];
  return (plugins.kind === 'list' ? plugins.items : [plugins]).map((item) => {
    if (item.kind === 'scalar' && typeof item.value === 'string' && item.value !== '')
      return { name: item.value, directory: item.source.directory, location: locationOf(item) };
    throw errorAt(
      item,
      'WRONG_TYPE',
      `a plugin is ${describeNode(item)}: name a package or a file, as in plugins: ['./mine.js']`,
    );
  });
}
