import { defineOperator, type SlotExpression } from '@corpuscle/core';
import { slotsAlone } from '../analyses/define/looksAtFrame.js';

export const computeOperator = defineOperator({
  name: 'compute',
  doc: 'Computes values from others and gives them names: numbers, quantities, texts, true or false. A name that an output or a global has is written anew, and all slots that read it see it.',
  slots: {
    values: { type: 'object', doc: 'expressions by the names of what they make, in their order' },
  },
  namedOutputs: 'values',
  hostOnly: true,
  ...slotsAlone,
  execute({ slots, state, set }) {
    const values = slots.values as Readonly<Record<string, SlotExpression>>;
    for (const [name, expression] of Object.entries(values))
      (set as (name: string, value: unknown) => void)(name, expression.value(state));
  },
});
