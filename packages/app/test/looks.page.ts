import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decode, encode } from 'fast-png';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppPage } from './support/AppPage.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let page: AppPage;
beforeAll(async () => {
  page = await AppPage.open('', [1200, 800]);
  await page.tools.until(`performance.getEntriesByName('first particles').length > 0`);
  await page.tools.evaluate(`${axe}; 0`);
});
afterAll(() => page.close());

/** What axe finds that is serious: the rule, and where it is broken. */
async function faults(): Promise<string[]> {
  return page.tools.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
}

it.each(['light', 'dark'])('has no serious fault of accessibility, %s', async (theme) => {
  await page.choose('Theme', theme);
  await page.write(
    'configuration: { units: lj }\nglobal: { dt: 0.005, end: 5 }\nsimulation: molecular_dynamics\n',
  );
  await page.tools.until(`document.querySelector('.cm-lintRange-error')`);
  expect(await faults()).toEqual([]);
  await page.press('Potential');
  expect(await faults()).toEqual([]);
  await page.press('Simulation');
});

it('has no serious fault of accessibility after a run, with plots and files', async () => {
  await page.choose('Examples', 'Structure factor');
  const pictures = await page.tools.evaluate<string>('document.body.dataset.pictures');
  await page.tools.until(`Number(document.body.dataset.pictures) > ${pictures}`); // its beginning
  await page.choose('Examples', 'Lennard-Jones melt');
  await page.tools.until(`document.getElementById('mistakes').innerText === ''`);
  await page.run();
  await page.tools.until(
    `document.querySelector('#plot canvas') && document.querySelector('#files select')`,
  );
  await page.press('Stop');
  await page.reach('ended');
  expect(await faults()).toEqual([]);
});

it('looks as it did: a crystal in its box', async () => {
  const own = await AppPage.open('', [500, 400]);
  // A place of its own: the letters of this machine do not matter.
  await own.tools.evaluate(`document.getElementById('canvas').style =
    'position: fixed; inset: 0; width: 400px; height: 300px; z-index: 9'`);
  await own.tools.until(`Number(document.body.dataset.pictures) > 0`);
  await own.shown();
  const { width, height, data, channels } = await own.canvas();
  await own.close();
  const reference = join(import.meta.dirname, 'reference/crystal.png');
  if (process.env.CORPUSCLE_NEW_REFERENCE)
    writeFileSync(reference, encode({ width, height, data, channels }));
  const expected = decode(readFileSync(reference));
  expect([width, height, channels]).toEqual([400, 300, expected.channels]);
  const differences = Array.from(data, (value, k) => Math.abs(value - expected.data[k]!));
  // Another adapter rounds otherwise at the edges of spheres.
  expect(differences.filter((one) => one > 24).length / differences.length).toBeLessThan(0.01);
});

it('has all of it on a narrow screen, and dark and light canvases', async () => {
  await page.tools.resize([390, 844]);
  for (const [theme, isLight] of [
    ['light', true],
    ['dark', false],
  ] as const) {
    const pictures = await page.tools.evaluate<string>('document.body.dataset.pictures');
    await page.choose('Theme', theme);
    await page.tools.until(`Number(document.body.dataset.pictures) > ${pictures}`);
    await page.shown();
    const { data } = await page.canvas();
    expect(data[0]! > 200, theme).toBe(isLight);
    const back = await page.tools.evaluate<string>(
      'getComputedStyle(document.body).backgroundColor',
    );
    expect(Number(/\d+/.exec(back)![0]) > 200, theme).toBe(isLight);
  }
  // With everything open that can be.
  await page.tools.evaluate(
    `for (const one of document.querySelectorAll('details')) one.open = true`,
  );
  await page.choose('Color of particles', 'formula');
  await page.choose('Slice', '1');
  const outside =
    await page.tools.evaluate(`[...document.querySelectorAll('button, select, input, canvas, .cm-editor')]
    .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, { left, right }]) => left < 0 || right > innerWidth)
    .map(([text]) => text)`);
  expect(outside).toEqual([]);
  expect(await page.tools.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(
    true,
  );
  expect(await faults()).toEqual([]);
  expect(
    await page.tools.evaluate(`document.getElementById('canvas').clientHeight`),
  ).toBeGreaterThan(150);
  await page.choose('Color of particles', 'type');
  await page.tools.resize([1200, 800]);
});

it('is used by keys alone', async () => {
  await page.tools.evaluate(`document.querySelector('select').focus()`);
  const reached = ['Examples'];
  for (let k = 0; k < 40; k++) {
    await page.key('Tab');
    const { name, ring } = await page.tools.evaluate<{ name: string; ring: string }>(`(() => {
      const one = document.activeElement;
      return {
        name: one === document.body ? 'BODY' : one.getAttribute('aria-label') || one.labels?.[0]?.textContent || one.textContent.trim(),
        ring: getComputedStyle(one).outlineStyle + getComputedStyle(one.closest('.cm-editor') ?? one).outlineStyle,
      };
    })()`);
    if (name === 'BODY' || reached.includes(name)) break;
    reached.push(name);
    expect(ring, `${name} is seen to have the focus`).toMatch(/solid|auto|dotted/);
    if (name === 'Simulation in YAML') await page.key('Escape'); // Tab leaves the editor after it
  }
  for (const name of [
    'Examples',
    'Open',
    'Theme',
    'Simulation in YAML',
    'Color of particles',
    'Run',
    'Speed',
  ])
    expect(reached).toContain(name);
  expect(reached.some((name) => name.startsWith('Particles:'))).toBe(true);
  const before = await page.canvas();
  const pictures = await page.tools.evaluate<string>('document.body.dataset.pictures');
  await page.tools.evaluate(`document.getElementById('canvas').focus()`);
  await page.key('ArrowLeft');
  await page.tools.until(`Number(document.body.dataset.pictures) > ${pictures}`);
  await page.shown();
  const { data } = await page.canvas();
  expect(data.some((value, k) => Math.abs(value - before.data[k]!) > 40)).toBe(true);
  const runs = await page.tools.evaluate<number>('Number(document.body.dataset.runs ?? 0)');
  await page.key('Enter', 2);
  await page.tools.until(`Number(document.body.dataset.runs) === ${runs + 1}`);
  await page.press('Stop');
  await page.reach('ended');
});

it('runs without a network after the first time', async () => {
  const own = await AppPage.open();
  await own.tools.evaluate('navigator.serviceWorker.ready.then(() => 0)');
  own.cutOff();
  await own.tools.call('Page.reload');
  await own.tools.until(
    `navigator.serviceWorker.controller && document.querySelector('#transport button')`,
  );
  await own.tools.until(`Number(document.body.dataset.pictures) > 0`);
  await own.run();
  await own.press('Stop'); // before it has written a file
  await own.reach('ended');
  await own.press('Step');
  await own.reach('paused');
  expect(own.tools.complaints).toEqual([]);
  await own.close();
});

it('shares its texts by a link', async () => {
  const text = 'configuration: { units: lj } # by a link';
  await page.write(text);
  await page.press('Share');
  await page.tools.until('location.hash.length > 1');
  const other = await AppPage.open(await page.tools.evaluate<string>('location.hash'));
  await other.tools.until(`document.querySelector('#simulation .cm-content')`);
  expect(
    await other.tools.evaluate(`document.querySelector('#simulation .cm-content').innerText`),
  ).toBe(text);
  await other.close();
});

it('comes in parts of less than 250 kB compressed', () => {
  const folder = join(import.meta.dirname, '../dist/assets');
  const sizes = readdirSync(folder).map(
    (name) => gzipSync(readFileSync(join(folder, name))).length,
  );
  expect(sizes.length).toBeGreaterThan(8);
  expect(Math.max(...sizes)).toBeLessThan(250_000);
});

it('has nothing to complain of', () => {
  expect(page.tools.complaints).toEqual([]);
});
