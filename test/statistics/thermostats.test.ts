import { isLong } from '../support/runs.js';
import { checkAll } from './checkAll.js';
import { thermostatChecks } from './checks/thermostats.js';

// A thermostat takes two seconds. Langevin's also acts in one of so many steps, and that is in the short form.
checkAll(thermostatChecks.filter(({ name }) => /^(langevin|andersen)$/.test(name) === isLong));
