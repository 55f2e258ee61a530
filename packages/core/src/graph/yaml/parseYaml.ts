import { composeYaml } from './composeYaml.js';
import type { SourceNode } from './SourceNode.js';
import type { SourceText } from './SourceText.js';
import { YamlConverter } from './YamlConverter.js';

/**
 * Reads the YAML of `source` from character `offset` on. Anchors, aliases and `<<` merge keys are resolved.
 * Length, depth, keys of a map and values from aliases have limits (io/limits.ts).
 *
 * @throws CorpuscleError SYNTAX with the place of the first mistake; equal keys are one.
 */
export function parseYaml(source: SourceText, offset = 0): SourceNode {
  return new YamlConverter(source, offset).convert(composeYaml(source, offset).contents);
}
