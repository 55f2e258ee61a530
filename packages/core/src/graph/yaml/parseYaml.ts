import { composeYaml } from './composeYaml.js';
import type { SourceNode } from './SourceNode.js';
import type { SourceText } from './SourceText.js';
import { type Note, YamlConverter } from './YamlConverter.js';

/**
 * Reads the YAML of `source` from character `offset` on. Anchors, aliases and `<<` merge keys are resolved.
 * Length, depth, keys of a map and values from aliases have limits (io/limits.ts).
 *
 * @param note told of equal keys; without it they are thrown.
 * @throws CorpuscleError SYNTAX with the place of the first mistake.
 */
export function parseYaml(source: SourceText, offset = 0, note?: Note): SourceNode {
  return new YamlConverter(source, offset, note).convert(composeYaml(source, offset).contents);
}
