import type { JsonSchema } from '@corpuscle/core';

/** The schemas that a value at a path may have: several where it may be one or the other. */
export function schemasAt(root: JsonSchema, path: readonly (string | 0)[]): JsonSchema[] {
  let found = alternatives(root, root);
  for (const step of path) {
    const inner = found.flatMap((schema) => {
      if (step === 0) return schema.items ? [schema.items] : [];
      const { additionalProperties: other } = schema;
      const known = schema.properties?.[step];
      return known ? [known] : typeof other === 'object' ? [other] : [];
    });
    found = inner.flatMap((schema) => alternatives(root, schema));
  }
  return found;
}

/** A schema with its references and choices taken apart; what it says of itself goes with each. */
function alternatives(root: JsonSchema, schema: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 12) return [];
  const { $ref, anyOf, ...own } = schema;
  const inner = [...(anyOf ?? []), ...($ref ? [root.$defs![$ref.replace('#/$defs/', '')]!] : [])];
  if (inner.length === 0) return [own];
  const { description } = own;
  return inner
    .flatMap((one) => alternatives(root, one, depth + 1))
    .map((one) => (description === undefined || one.description ? one : { ...one, description }));
}
