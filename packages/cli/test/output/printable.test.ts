import { expect, it } from 'vitest';
import { printable } from '../../src/output/printable.js';

it('leaves lines, tabs, colors and cleared lines, and no other command of a terminal', () => {
  const ours = 'a\tb\n\r\x1b[K\x1b[A\x1b[1;31mred\x1b[0m ångström ✓\n';
  expect(printable(ours)).toBe(ours);
  expect(printable('\x1b]0;title\x07 \x1b[2J \x9b31m \x00')).toBe('�]0;title� �[2J �31m �');
});
