// Writes docs/operators.md, the reference of all operators, from what these say of themselves:       npx tsx scripts/operatorsPage.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorsPage } from './support/operatorsPage.js';
import { root } from './support/packPackages.js';

writeFileSync(join(root, 'docs/operators.md'), operatorsPage());
