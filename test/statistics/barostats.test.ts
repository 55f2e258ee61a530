import { isLong } from '../support/runs.js';
import { checkAll } from './checkAll.js';
import { barostatChecks } from './checks/barostats.js';

// A barostat takes four seconds.
checkAll(barostatChecks.filter(({ name }) => name.startsWith('cell_rescale') === isLong));
