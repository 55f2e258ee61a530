import { checkAll } from './checkAll.js';
import { thermostatChecks } from './checks/thermostats.js';

checkAll(thermostatChecks);
