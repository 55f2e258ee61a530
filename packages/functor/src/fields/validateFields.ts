import type { FunctorSpec } from '../FunctorSpec.js';
import { indexFields, isIndexField } from './indexFields.js';

type Names = (what: string, table: Readonly<Record<string, unknown>> | undefined) => string[];
type Fail = (problem: string, remedy: string) => never;

/** Checks fields that do not simply lie in the grid: defaults, computed ones, indices. */
export function validateFields(
  spec: Extract<FunctorSpec, { kind: 'cell' | 'reduce' }>,
  names: Names,
  fail: Fail,
): void {
  for (const name of names('default', spec.defaults)) {
    if (!(name in spec.read))
      fail(`the default of '${name}' belongs to no field`, 'declare the field in `read`');
    if (typeof spec.defaults![name] !== 'number')
      fail(`the default of '${name}' is no number`, 'give a number');
  }
  const own = spec.kind === 'cell' ? { ...spec.fields, ...spec.read } : spec.read;
  for (const name of names('computed field', spec.computed)) {
    if (name in own)
      fail(`'${name}' is declared twice`, 'compute it, or read it from the grid, not both');
    if (typeof spec.computed![name] !== 'function')
      fail(`the computed field '${name}' is no function`, 'write ({ vx, vy }) => …');
  }
  if (!spec.traits?.needsCellParticleIndex) return;
  const wanted = Object.keys(spec.read).filter(isIndexField);
  if (wanted.length === 0)
    fail(
      'the trait needsCellParticleIndex has nothing to do',
      `read one of ${indexFields.join(', ')}, or leave the trait out`,
    );
  for (const name of wanted)
    if (spec.read[name] !== 'u32') fail(`'${name}' is an index`, "declare it as 'u32'");
}
