import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { JsonSchema } from '@corpuscle/core';
import { placeAt } from './placeAt.js';
import { schemasAt } from './schemaAt.js';

/** Completion and hover from the schema of simulations. @param schema null until it is there */
export function assistance(schema: () => JsonSchema | null): Extension {
  return [
    autocompletion({ override: [(context) => complete(context, schema())] }),
    hoverTooltip((view, position) => {
      const text = view.state.doc.toString();
      const root = schema();
      const said = root && explain(root, text, position);
      if (!said) return null;
      const create = () => {
        const dom = document.createElement('div');
        dom.textContent = said;
        return { dom };
      };
      return { pos: position, create };
    }),
  ];
}

function complete(context: CompletionContext, root: JsonSchema | null): CompletionResult | null {
  if (!root) return null;
  const place = placeAt(context.state.doc.toString(), context.pos);
  if (place.word === '' && !context.explicit) return null;
  const options = completionsAt(root, place.path, place.isValue);
  return options.length > 0 ? { from: context.pos - place.word.length, options } : null;
}

/** What can be written at a place: values, or keys and names of operators. */
export function completionsAt(
  root: JsonSchema,
  path: readonly (string | 0)[],
  isValue: boolean,
): Completion[] {
  const found = new Map<string, Completion>();
  for (const schema of schemasAt(root, path)) {
    for (const value of schema.enum ?? [])
      found.set(String(value), { label: String(value), type: 'enum' });
    if (schema.type === 'boolean')
      for (const label of ['true', 'false']) found.set(label, { label, type: 'keyword' });
    if (isValue) continue;
    for (const [label, inner] of Object.entries(schema.properties ?? {})) {
      const info = schemasAt(root, [...path, label])[0]?.description ?? inner.description;
      found.set(label, { label, type: 'property', apply: `${label}: `, ...(info && { info }) });
    }
  }
  return [...found.values()];
}

/** What the schema says of the key at a position. */
export function explain(root: JsonSchema, text: string, position: number): string | null {
  const rest = /^[\w.-]*/.exec(text.slice(position))![0];
  const after = text.slice(position + rest.length);
  const { path, word, isValue } = placeAt(text, position + rest.length);
  if (word === '') return null;
  const isKey = /^["']?\s*:(\s|$)/.test(after);
  if (!isKey && isValue && path[0] !== 'simulation') return null;
  return (
    schemasAt(root, [...path, word]).find(({ description }) => description)?.description ?? null
  );
}
