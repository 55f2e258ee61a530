// Writes docs/operators.md and docs/operators/, the reference of all operators, from what these say of themselves:
//     npx tsx scripts/operatorsPage.ts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorPages } from './support/operatorsPage.js';
import { root } from './support/packPackages.js';

const docs = join(root, 'docs');
rmSync(join(docs, 'operators'), { recursive: true, force: true });
mkdirSync(join(docs, 'operators'));
for (const [name, text] of operatorPages()) writeFileSync(join(docs, name), text);
