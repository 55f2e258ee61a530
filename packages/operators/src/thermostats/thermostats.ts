import { andersen } from './andersen/andersen.js';
import { bussi } from './bussi/bussi.js';
import { langevin } from './langevin/langevin.js';
import { rescale } from './rescale/rescale.js';

/** Thermostats; `nose_hoover` and `berendsen` are with the barostats, as they may have a pressure. */
export const thermostats = [langevin, bussi, andersen, rescale] as const;
