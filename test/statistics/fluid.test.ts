import { isLong } from '../support/runs.js';
import { checkAll } from './checkAll.js';
import { driftChecks, orderChecks } from './checks/conserved.js';
import { stateChecks } from './checks/states.js';
import { transportChecks } from './checks/transport.js';

// Diffusion takes as long as all others.
const checks = [...stateChecks, ...transportChecks, ...driftChecks, ...orderChecks];
checkAll(checks.filter(({ name }) => name.startsWith('diffusion') === isLong));
