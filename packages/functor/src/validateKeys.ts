import { suggesting } from './error/suggestion.js';
import type { FunctorSpec } from './FunctorSpec.js';
import { nearest } from './frontend/nearest.js';

const COMMON = ['kind', 'name', 'params', 'helpers', 'constants', 'traits', 'wgsl'];
const OF_PARTICLES = ['read', 'defaults', 'computed'];
/** What each kind declares; the first must be given. */
const KEYS: Readonly<Record<FunctorSpec['kind'], readonly [string, ...string[]]>> = {
  pair: [
    'central',
    'derived',
    'gradient',
    'read',
    'neighbor',
    'context',
    'contextStart',
    'contextStop',
  ],
  neighborhood: ['central', 'read', 'neighbor', 'scatter', 'work', 'gradient'],
  cell: ['fields', ...OF_PARTICLES],
  reduce: ['result', ...OF_PARTICLES, 'identity', 'combine'],
  block: ['arrays', 'read', 'result', 'blockShared', 'prolog', 'epilog'],
};

/** Refuses what a declaration does not know, and one without its main table: plain JavaScript has no types to say so. */
export function validateKeys(
  spec: FunctorSpec,
  fail: (problem: string, remedy: string) => never,
): void {
  const own = KEYS[spec.kind];
  const known = [...COMMON, ...own];
  for (const key of Object.keys(spec)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known);
    const remedy = meant ? suggesting(meant) : `it has ${known.slice(1).join(', ')}`;
    fail(`a ${spec.kind} functor declares no '${key}'`, remedy);
  }
  const [main] = own;
  const table: unknown = (spec as unknown as Readonly<Record<string, unknown>>)[main];
  if (typeof table !== 'object' || table === null)
    fail(`'${main}' is missing`, `declare it, for instance ${main}: { ${EXAMPLES[spec.kind]} }`);
}

const EXAMPLES: Readonly<Record<FunctorSpec['kind'], string>> = {
  pair: "fx: 'real'",
  neighborhood: "fx: 'real'",
  cell: "vx: 'real'",
  reduce: "sum: 'sum'",
  block: "values: 'real'",
};
