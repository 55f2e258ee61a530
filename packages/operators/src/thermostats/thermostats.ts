import { andersen } from './andersen/andersen.js';
import { berendsen } from './berendsen/berendsen.js';
import { bussi } from './bussi/bussi.js';
import { langevin } from './langevin/langevin.js';
import { rescale } from './rescale/rescale.js';

/** Thermostats; `nose_hoover` is with the barostats, as it may have a pressure. */
export const thermostats = [langevin, bussi, berendsen, andersen, rescale] as const;
