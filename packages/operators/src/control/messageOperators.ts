import { defineOperator } from '@corpuscle/core';
import { slotsAlone } from '../analyses/define/looksAtFrame.js';
import { everySlots, stepsBetween } from '../run/frameSlots.js';

export const messageOperator = defineOperator({
  name: 'message',
  doc: 'Says a sentence. Expressions in braces are replaced by their values: "T = {measured_temperature:4}" with four digits.',
  slots: {
    text: { type: 'template', required: true, doc: 'the sentence; {{ is a brace' },
    ...everySlots('sentences'),
  },
  every: stepsBetween,
  hostOnly: true,
  ...slotsAlone,
  execute: ({ slots, state }) => state.say(slots.text.text(state)),
});

export const printSlotsOperator = defineOperator({
  name: 'print_slots',
  doc: 'Says the values of slots, globals and expressions, one a line.',
  slots: {
    values: {
      type: 'list',
      of: { type: 'expression' },
      minLength: 1,
      required: true,
      doc: 'names or expressions, such as dt, or 2 * dt',
    },
    ...everySlots('lists of values'),
  },
  every: stepsBetween,
  hostOnly: true,
  ...slotsAlone,
  execute({ slots, state }) {
    for (const expression of slots.values)
      state.say(`${expression.text} = ${expression.shown(state)}`);
  },
});
