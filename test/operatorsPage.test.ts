import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { operatorsPage } from '../scripts/support/operatorsPage.js';

it('the page of operators is what they say of themselves', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../docs/operators.md', import.meta.url)),
    'utf8',
  );
  expect(page === operatorsPage(), 'make it anew: npx tsx scripts/operatorsPage.ts').toBe(true);
  expect(page).toContain('| `epsilon` | quantity (an energy) | depth |');
});
