import { checkAll } from './checkAll.js';
import { barostatChecks } from './checks/barostats.js';

checkAll(barostatChecks);
