import { expect, expectTypeOf, it } from 'vitest';
import { defineOperator } from '../../src/graph/defineOperator.js';

it('derives the types of slots from their specs', () => {
  const operator = defineOperator({
    name: 'typed',
    doc: 'Checks types.',
    slots: {
      rcut: { type: 'quantity', dimension: { length: 1 }, required: true, doc: '' },
      shift: { type: 'enum', values: ['none', 'energy'], default: 'none', doc: '' },
      repeat: { type: 'list', of: { type: 'integer' }, length: 3, doc: '' },
      pairs: {
        type: 'list',
        of: {
          type: 'map',
          entries: {
            types: { type: 'list', of: { type: 'particle_type' }, required: true, doc: '' },
          },
        },
        default: [],
        doc: '',
      },
      group: {
        type: 'any_of',
        options: [{ type: 'string' }, { type: 'list', of: { type: 'integer' } }],
        doc: '',
      },
      done: { type: 'boolean', direction: 'output', doc: '' },
    },
    validate({ slots, fail }) {
      expectTypeOf(slots.rcut).toEqualTypeOf<number | undefined>();
      if (slots.rcut === 7) fail('rcut', 'INVALID_VALUE', 'seven');
    },
    prepare: async ({ slots }) => ({ count: slots.rcut }),
    execute(context) {
      const { slots, own } = context;
      expectTypeOf(slots.rcut).toEqualTypeOf<number>();
      expectTypeOf(slots.shift).toEqualTypeOf<'none' | 'energy'>();
      expectTypeOf(slots.repeat).toEqualTypeOf<readonly number[] | undefined>();
      expectTypeOf(slots.pairs).toEqualTypeOf<readonly { readonly types: readonly string[] }[]>();
      expectTypeOf(slots.group).toEqualTypeOf<string | readonly number[] | undefined>();
      expectTypeOf(own).toEqualTypeOf<{ count: number }>();
      context.set('done', true);
      // @ts-expect-error rcut is an input
      context.set('rcut', 3);
      // @ts-expect-error done is boolean
      context.set('done', 3);
    },
  });
  expect(operator.name).toBe('typed');
});
