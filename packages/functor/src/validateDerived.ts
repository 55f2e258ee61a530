import type { FunctorSpec } from './FunctorSpec.js';

/** Checks outputs that are derived from others: what they follow from must be there, and they must be new. */
export function validateDerived(
  spec: Extract<FunctorSpec, { kind: 'pair' }>,
  names: (what: string, table: Readonly<Record<string, unknown>> | undefined) => string[],
  fail: (problem: string, remedy: string) => never,
): void {
  for (const name of names('derived output', spec.derived)) {
    const { of, along, factor } = spec.derived![name]!;
    if (name in spec.central || name in spec.read)
      fail(`'${name}' is declared twice`, 'declare it as derived, or as central or read');
    if (spec.central[of] !== 'real')
      fail(
        `'${name}' is derived from '${of}', which is no real output`,
        "declare it in central as 'real'",
      );
    if (!['x', 'y', 'z'].includes(along) || !Number.isFinite(factor))
      fail(`'${name}' is derived along '${along}' by ${factor}`, 'give x, y or z, and a number');
  }
  if (spec.wgsl && Object.keys(spec.derived ?? {}).length > 0)
    fail('it has derived outputs and a body in WGSL', 'write them in the body, and drop derived');
}
