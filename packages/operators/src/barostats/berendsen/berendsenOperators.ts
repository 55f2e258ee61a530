import type { OperatorBundle } from '@corpuscle/core';
import { stepComposite } from '../../integrators/stepComposite.js';
import { groupSlot } from '../../sets/group/Groups.js';
import { berendsen as thermostat } from '../../thermostats/berendsen/berendsen.js';
import { barostatSlots } from '../barostatSlots.js';
import { berendsenBoxOperator, boxSlots } from './berendsenBoxOperator.js';

const { temperature, tau } = thermostat.spec.slots!;
const { dt, ...ofBox } = { ...barostatSlots, ...boxSlots };

/** `berendsen` in a numerical scheme: weak coupling to a temperature, a pressure, or both. */
export const berendsenBundle: OperatorBundle = {
  name: 'berendsen',
  operators: [...thermostat.operators, berendsenBoxOperator],
  composites: [
    stepComposite(
      {
        name: 'berendsen',
        doc: 'Berendsen thermostat and barostat: weak coupling to a temperature, a pressure, or both, after the step. Fluctuations are those of no ensemble: use it to equilibrate.',
        slots: {
          ...groupSlot,
          dt,
          temperature: { ...temperature, required: false },
          tau: { ...tau, required: false },
          ...ofBox,
          pressure: { ...ofBox.pressure, required: false },
          tau_pressure: { ...ofBox.tau_pressure, required: false },
        },
      },
      ({ settings, wordOf, fail }) => {
        const [hot, pressed] = [settings.temperature, settings.pressure].map(Boolean);
        if (!hot && !pressed)
          fail('MISSING_VALUE', 'berendsen has no temperature and no pressure: give one');
        if (pressed && (wordOf('group') ?? 'all') !== 'all')
          fail('INVALID_VALUE', 'a pressure is that of all particles: leave group out');
        const of = thermostat.parts as Extract<typeof thermostat.parts, { kind: 'wraps' }>;
        const box = berendsenBoxOperator.name;
        return {
          kind: 'wraps',
          before: hot ? of.before : [],
          after: [...(hot ? of.after : []), ...(pressed ? [box] : [])],
          isOfBox: !hot,
          takes: {
            [box]: ['dt', ...Object.keys(ofBox)],
            ...Object.fromEntries(
              [...of.before, ...of.after].map((name) => [
                name,
                ['dt', 'group', 'use', 'temperature', 'tau'],
              ]),
            ),
          },
        };
      },
    ),
  ],
};
