import { isLong } from '../support/runs.js';
import { checkAll } from './checkAll.js';
import { argonChecks } from './checks/argon.js';
import { driftChecks, orderChecks } from './checks/conserved.js';
import { stateChecks } from './checks/states.js';
import { transportChecks } from './checks/transport.js';

// Both take as long as all others; argon.test.ts melts argon too.
const isSlow = ({ name }: { readonly name: string }) => /^diffusion|argon$/.test(name);
const checks = [...stateChecks, ...transportChecks, ...driftChecks, ...orderChecks];
checkAll(checks.filter((check) => isSlow(check) === isLong));
checkAll(argonChecks.filter((check) => isSlow(check) === isLong));
