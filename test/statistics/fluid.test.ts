import { checkAll } from './checkAll.js';
import { driftChecks, orderChecks } from './checks/conserved.js';
import { stateChecks } from './checks/states.js';
import { transportChecks } from './checks/transport.js';

checkAll(stateChecks);
checkAll(transportChecks);
checkAll(driftChecks);
checkAll(orderChecks);
