import { sameDimension } from '../../units/dimensions.js';
import { ExpressionError } from '../../units/ExpressionError.js';
import type { LoadContext } from '../Simulation.js';
import type { Bounds, ValueSpec } from '../SlotSpec.js';
import { errorAt, type ScalarNode, type SourceNode } from '../yaml/SourceNode.js';
import { wrongType } from './describeSpec.js';

/** A number, whole number or quantity, in internal units and within its bounds. */
export function resolveNumber(
  node: SourceNode,
  spec: Extract<ValueSpec, { readonly type: 'number' | 'integer' | 'quantity' }>,
  name: string,
  load: LoadContext,
): number {
  if (node.kind !== 'scalar') throw wrongType(node, spec, name);
  const { value } = node;
  if (typeof value !== 'number' && typeof value !== 'string') throw wrongType(node, spec, name);
  const dimension = spec.type === 'quantity' ? spec.dimension : {};
  const { units } = load.configuration;
  let result: number;
  try {
    result = units.parseOrThrow(value, dimension);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    // A word that is no expression at all is a wrong type, not a wrong unit.
    const isWord = error.code === 'UNKNOWN_UNIT' && !/\d/.test(String(value)) && error.offset === 0;
    if (isWord && (units.isReduced || sameDimension(dimension, {})))
      throw wrongType(node, spec, name);
    const start = node.textStart + error.offset;
    throw node.source.error(
      error.code,
      `${name}: ${error.message}`,
      start,
      Math.max(start + 1, node.textStart + String(value).length),
    );
  }
  if (!Number.isFinite(result)) {
    throw errorAt(node, 'INVALID_VALUE', `${name} is ${String(value)}: give a finite number`);
  }
  if (spec.type === 'integer' && !Number.isSafeInteger(result)) {
    throw errorAt(node, 'WRONG_TYPE', `${name} is ${String(value)}: give a whole number`);
  }
  checkBounds(
    node,
    spec.type === 'quantity' ? units.fromInternal(result, dimension) : result,
    spec,
    name,
  );
  return result;
}

function checkBounds(node: ScalarNode, value: number, bounds: Bounds, name: string): void {
  const { min, max, above, below } = bounds;
  const isInside =
    (min === undefined || value >= min) &&
    (max === undefined || value <= max) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below);
  if (isInside) return;
  const limits = [
    min !== undefined && `at least ${min}`,
    above !== undefined && `more than ${above}`,
    max !== undefined && `at most ${max}`,
    below !== undefined && `less than ${below}`,
  ].filter((limit) => limit !== false);
  throw errorAt(
    node,
    'INVALID_VALUE',
    `${name} is ${String(node.value)}: it must be ${limits.join(' and ')}`,
  );
}
