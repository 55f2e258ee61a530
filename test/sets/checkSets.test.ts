import { defineOperator, loadSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** What `check` says of a melt with more operators in its set-up and its output, a line for each mistake. */
async function mistakesIn(output: string, setup = ''): Promise<string[]> {
  const system = meltYaml()
    .match(/setup_system:(\n {2}.*)+/)![0]
    .replace('setup_system:', '');
  work.write({
    'in.yaml': meltYaml({ setup_system: `${system}${setup}`, dump_data: `\n  - ${output}` }),
  });
  const { code, err } = await runCli(['check', work.path('in.yaml')]);
  expect(code).toBe(err === '' ? 0 : 2);
  return [...err.matchAll(/^.*in\.yaml:(.*)$/gm)].map(([, said]) => said!);
}

const check = async (output: string, setup?: string): Promise<string> =>
  (await mistakesIn(output, setup))[0] ?? '';

const ball = '{ sphere: { center: [0, 0, 0], radius: 2 } }';
const made = `
  - region: { name: core, shape: ${ball} }
  - group: { name: ball, region: { union: [core, { types: [A] }] } }`;

it.each([
  ['clusters: { cutoff: 1.3, file: c.csv, group: bal }', "13:50: there is no group 'bal': did"],
  ['freeze: { group: x }', "13:22: there is no group 'x' (there are all, ball)"],
  ['particle_stress: { file: s.csv, group: x }', "13:44: there is no group 'x'"],
  ['thermo: { file: t.csv, groups: [all, x] }', "13:36: there is no group 'x'"],
  [
    'radial_distribution: { file: g.csv, groups: [[ball, all], [x, all]] }',
    "13:49: there is no group 'x' (there are all, ball)",
  ],
  ['group: { name: b, subtract: [all, x] }', "13:33: there is no group 'x'"],
  ['group: { name: b, region: { union: [core, { group: x }] } }', "13:31: there is no group 'x'"],
  ['group: { name: b, region: { complement: cor } }', "13:31: there is no region 'cor': did you"],
  [
    'grid_projection: { fields: [density, vw], file: m.vti }',
    "13:32: particles have no field 'vw': did you mean 'vx'?",
  ],
  [
    'cc_label: { field: colour, threshold: 1 }',
    "13:24: particles have no field 'colour': put partic",
  ],
  [
    'grid_histogram: { field: densty, file: h.csv }',
    "13:30: particles have no field 'densty': did",
  ],
  ['set: { fields: { color: 1 } }', "13:20: particles have no field 'color'"],
  [
    'group: { name: b, region: { union: [core, { field: { name: vw } }] } }',
    "13:31: particles have no field 'vw'",
  ],
  [
    'group: { name: b, region: z > 3 }',
    "13:31: a region is the name of one, or a map such as { box: { z: [0, 2] } }, and 'z > 3' is neither",
  ],
  [
    'group: { name: b, region: { union: [core, { box: { z: [3, 1] } }] } }',
    '13:31: a box reaches from 3 to 1 along z: give the lower bound first',
  ],
  ['region: { name: b, shape: { box: {} } }', '13:31: a box has no sides: give x, y or z'],
  [
    'delete_particles: { region: { plane: { point: [0, 0, 0], normal: [0, 0, 0] } } }',
    '13:33: the normal of a plane is 0: give a direction',
  ],
  ['write_extended_xyz: { file: a.xyz, group: x }', "13:47: 'x' is neither a group nor a particle"],
])('%s', async (output, message) => {
  expect(await check(output, made)).toContain(message);
});

it('takes names that an operator of the files may have made before', async () => {
  expect(await check('clusters: { cutoff: 1.3, file: c.csv, group: ball }', made)).toBe('');
  expect(await check('write_extended_xyz: { file: a.xyz, group: A }', made)).toBe('');
  const late = 'group: { name: late, types: [A] }';
  const later = `{ condition: step > 0, body: [freeze: { group: late }] }\n  - ${late}`;
  expect(await check(later)).toBe('');
  // Operators of a loop are prepared when it begins, and so its groups are there, without particles yet.
  const ofLoop = `message: { text: ok }\nafter_drift:\n  - set: { mass: 2, group: late }\n  - ${late}`;
  expect(await check(ofLoop)).toBe('');
});

it('tells of names that are made only after what uses them has run for the first time', async () => {
  const late = 'group: { name: late, types: [A] }';
  const ofLoop = `message: { text: ok }\nafter_drift: [${late}]\n`;
  const none = "there is no group 'late' (there is all): put group";
  expect(await check(`freeze: { group: late }\n  - ${late}`)).toContain(`11:22: ${none}`);
  expect(
    await check(`${ofLoop}+compute_force: [add_force: { force: [1, 0, 0], group: late }]`),
  ).toContain(`13:56: ${none}`);
  expect(
    await check(
      `${ofLoop}simulation_epilog: [clusters: { cutoff: 1.3, file: c.csv, group: late }]`,
    ),
  ).toBe('');
  const region = `region: { name: core, shape: ${ball} }`;
  expect(await check(`group: { name: low, region: core }\n  - ${region}`)).toContain(
    "11:33: there is no region 'core'",
  );
  expect(await check(`write_extended_xyz: { file: a.xyz, group: late }\n  - ${late}`)).toContain(
    "11:47: 'late' is neither a group nor a particle type (there are all, A)",
  );
});

it('tells of groups that operators of a loop want when they are prepared, and that are made after them', async () => {
  const late = 'group: { name: late, types: [A] }';
  const none =
    "group 'late' is used before it is made: put group: { name: late, … } before what uses it, for instance into setup_system";
  const schemeOf = (...parts: string[]) => `message: { text: ok }\nnumerical_scheme: [${parts}]`;
  const forced = 'langevin: { temperature: 1, friction: 1, group: late }';
  const first = `nth_timestep: { frequency: 1 }, { condition: nth_timestep, body: [${late}] }`;
  expect(await check(schemeOf(forced, late))).toBe(`12:68: ${none}`);
  expect(await check(schemeOf(first, forced))).toContain(none);
  expect(await check(schemeOf(late, forced))).toBe('');
  expect(await check(schemeOf(first, forced), `\n  - ${late}`)).toBe('');
  for (const user of [
    'add_force: { force: [1, 0, 0], group: late }',
    'remove_momentum: { group: late }',
  ])
    expect(await check(`message: { text: ok }\nafter_drift: [${user}, ${late}]`)).toContain(none);
});

it('wants groups of the table before it, whose first row comes before a group of dump_data is made', async () => {
  const table = 'thermo: { file: t.csv, groups: [late] }';
  const late = 'group: { name: late, types: [A] }';
  expect(await check(`${table}\n  - ${late}`)).toContain("11:36: there is no group 'late'");
  expect(await check(`${late}\n  - ${table}`)).toBe('');
  const ofAll = `${late}\nthermo: { groups: [late] }`;
  expect(await check(ofAll)).toContain("12:19: there is no group 'late' (there is all): put group");
  expect(await check(ofAll, `\n  - ${late}`)).toBe('');
});

it('tells a mistake in a name once, not at all places that use it', async () => {
  const wrong = made.replace('name: ball', 'name: { a: 1 }');
  const found = await mistakesIn('clusters: { cutoff: 1.3, file: c.csv, group: ball }', wrong);
  expect(found).toHaveLength(1);
  expect(found[0]).toContain('name of group');
});

it("finds names in slots of operators of one's own that say what these name", () => {
  const own = defineOperator({
    name: 'own',
    doc: 'Looks.',
    slots: { of: { type: 'list', of: { type: 'string', names: 'group' }, doc: 'groups' } },
    execute() {},
  });
  const operators = createRegistry().add(own);
  const load = (groups: string) => {
    work.write({ 'own.yaml': meltYaml({ dump_data: `\n  - own: { of: ${groups} }` }) });
    return loadSimulation([work.path('own.yaml')], { operators });
  };
  expect(() => load('[all, x]')).toThrow("there is no group 'x'");
  expect(() => load('[all]')).not.toThrow();
});
