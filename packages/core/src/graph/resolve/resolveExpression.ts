import { ExpressionError } from '../../units/ExpressionError.js';
import { builtInNames, compile, type Names } from '../expression/compile.js';
import { parseSyntax } from '../expression/parseSyntax.js';
import { type NamedSource, SlotExpression, valueNow } from '../expression/SlotExpression.js';
import { SlotTemplate, type TemplatePart } from '../expression/SlotTemplate.js';
import { namesIn, type Syntax } from '../expression/Syntax.js';
import { describeType, type Typed, typeOfSpec } from '../expression/Typed.js';
import type { ValueSpec } from '../SlotSpec.js';
import { errorAt, type ScalarNode, type SourceNode } from '../yaml/SourceNode.js';
import { describeSpec, wrongType } from './describeSpec.js';
import type { Resolving, SlotLookup } from './Mistakes.js';

type ExpressionSpec = Extract<ValueSpec, { readonly type: 'expression' }>;

/** Whether expressions know a name without any slot. */
export const isBuiltIn = (name: string): boolean => builtInNames.includes(name);

/** The names that an expression speaks of; none where it cannot be parsed. */
export function namesOf(node: SourceNode): string[] {
  if (node.kind !== 'scalar') return [];
  try {
    return [...namesIn(parseSyntax(String(node.value)))];
  } catch {
    return [];
  }
}

/**
 * The expression of a node, with its names connected and its type checked; undefined where only its syntax can be.
 * @throws CorpuscleError at the place in the text: SYNTAX, UNKNOWN_KEY, UNKNOWN_UNIT, WRONG_TYPE, WRONG_DIMENSION
 */
export function resolveExpression(
  node: SourceNode,
  spec: ExpressionSpec,
  name: string,
  load: Resolving,
): SlotExpression | undefined {
  if (node.kind !== 'scalar' || node.value === null || node.value === '')
    throw wrongType(node, spec, name);
  const text = String(node.value).trim();
  const start = node.textStart + String(node.value).indexOf(text);
  const made = compiled(text, start, node, name, load);
  if (made && spec.gives && made.type.kind !== spec.gives)
    throw errorAt(
      node,
      'WRONG_TYPE',
      `${name} is '${text}', which is ${describeType(made.type)}: give ${describeSpec(spec)}`,
    );
  return made;
}

/** A text with expressions in braces; `{{` is a brace. @throws CorpuscleError as resolveExpression */
export function resolveTemplate(
  node: ScalarNode & { readonly value: string },
  name: string,
  load: Resolving,
): SlotTemplate {
  const parts: TemplatePart[] = [];
  for (const match of node.value.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    const [found, inner] = match;
    const start = node.textStart + match.index;
    if (inner === undefined) {
      if (found === '{' || found === '}')
        throw node.source.error(
          'SYNTAX',
          `${name}: '${found}' has no partner: write ${found}${found} for a brace`,
          start,
          start + 1,
        );
      parts.push(found === '{{' || found === '}}' ? found[0]! : found);
      continue;
    }
    const [, text, digits] = /^(.*?)(?::(\d+))?$/s.exec(inner)!;
    const expression = compiled(text!, start + 1, node, name, load);
    // Of a number no more digits are shown than there can be.
    const shown = digits === undefined ? undefined : Math.min(100, Math.max(1, Number(digits)));
    if (expression) parts.push({ expression, digits: shown });
  }
  return new SlotTemplate(parts);
}

function compiled(
  text: string,
  start: number,
  node: ScalarNode,
  name: string,
  load: Resolving,
): SlotExpression | undefined {
  const { units } = load.configuration;
  const reads: NamedSource[] = [];
  try {
    const syntax: Syntax = parseSyntax(text);
    if (!load.slots) return undefined;
    const typed = compile(syntax, connecting(load.slots, reads), units);
    return new SlotExpression(text, typed, reads, units);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    // Where the graph has a hole, what has the name may be there.
    if (error.code === 'UNKNOWN_KEY' && load.mistakes.hasHoles)
      return load.mistakes.skip(undefined);
    const at = start + error.offset;
    const width = /^\w+/.exec(text.slice(error.offset))?.[0].length ?? 1;
    throw node.source.error(error.code, `${name}: ${error.message}`, at, at + width);
  }
}

/** Names of slots as parts of an expression; what it reads is noted. */
function connecting(slots: SlotLookup, reads: NamedSource[]): Names {
  return {
    find(name, at): Typed | undefined {
      const found = slots.find(name);
      if (!found) return undefined;
      const type = typeOfSpec(found.spec);
      if (!type)
        throw new ExpressionError(
          'WRONG_TYPE',
          `'${name}' is ${describeSpec(found.spec)}: expressions take numbers, texts, and true or false`,
          at,
        );
      const read: NamedSource = { name, sources: found.sources };
      reads.push(read);
      // Whether it ever changes is only known when the graph is complete: see SlotExpression.constant.
      return { type, isConstant: true, value: () => valueNow(read)! };
    },
    all: () => slots.all(),
  };
}
