import type { CorpuscleError } from '@corpuscle/functor/error';
import { describeDimension } from '../../units/dimensions.js';
import type { ValueSpec } from '../SlotSpec.js';
import { describeNode, errorAt, type SourceNode } from '../yaml/SourceNode.js';

/** What a spec accepts, in words with an article: "a length such as 1.5", "one of fcc, bcc". */
export function describeSpec(spec: ValueSpec): string {
  switch (spec.type) {
    case 'number':
      return 'a number';
    case 'integer':
      return 'a whole number';
    case 'quantity':
      return describeDimension(spec.dimension);
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a text';
    case 'enum':
      return spec.values.length === 1 ? `'${spec.values[0]}'` : `one of ${spec.values.join(', ')}`;
    case 'file':
      return 'a file name';
    case 'particle_type':
      return 'a particle type';
    case 'list':
      return `a list ${spec.length === undefined ? '' : `of ${spec.length} `}(each ${describeSpec(spec.of)})`;
    case 'map':
      return `a map of ${Object.keys(spec.entries).join(', ')}`;
    case 'record':
      return 'a map';
    case 'variant':
      return `a map with ${spec.key} (${Object.keys(spec.variants).join(', ')}) and what that takes`;
    case 'any_of':
      return spec.label ?? spec.options.map(describeSpec).join(', or ');
    case 'object':
      return 'what an earlier operator makes';
    case 'batch':
      return 'a list of operators';
    case 'expression':
      return spec.gives === 'boolean'
        ? "a condition such as 'step > 100'"
        : "an expression such as '2 * dt'";
    case 'template':
      return "a text such as 'step {step}'";
  }
}

/** An error at a value of the wrong type; MISSING_VALUE when it is empty. */
export function wrongType(node: SourceNode, spec: ValueSpec, name: string): CorpuscleError {
  const isText = node.kind === 'scalar' && typeof node.value === 'number' && acceptsText(spec);
  return errorAt(
    node,
    node.kind === 'scalar' && node.value === null ? 'MISSING_VALUE' : 'WRONG_TYPE',
    `${name} is ${describeNode(node)}: give ${describeSpec(spec)}${isText ? ", in quotes ('1') if it looks like a number" : ''}`,
  );
}

const acceptsText = (spec: ValueSpec): boolean =>
  spec.type === 'string' || spec.type === 'file' || spec.type === 'particle_type';
