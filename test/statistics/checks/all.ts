import { argonChecks } from './argon.js';
import { barostatChecks } from './barostats.js';
import type { Check } from './Check.js';
import { driftChecks, orderChecks } from './conserved.js';
import { stateChecks } from './states.js';
import { thermostatChecks } from './thermostats.js';
import { transportChecks } from './transport.js';

/** All checks, those that take longest in front. */
export const allChecks = [
  ...barostatChecks,
  ...thermostatChecks,
  ...transportChecks,
  ...argonChecks,
  ...stateChecks,
  ...driftChecks,
  ...orderChecks,
] as readonly Check[];
