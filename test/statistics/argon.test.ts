import { checkAll } from './checkAll.js';
import { argonChecks } from './checks/argon.js';

checkAll(argonChecks);
