import { readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from '../../../../test/support/runCli.js';
import { displayPath } from '../../src/output/formatError.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const rows = Array.from({ length: 40 }, (_, k) => [k, 0.5 * k, 1 + (k % 2), k * k]);
beforeEach(() =>
  work.write({
    'thermo.csv': `step,time,temperature,energy\n${rows.map((row) => row.join(',')).join('\n')}\n`,
    'rdf.csv': 'r,g,e_g\n1,0,0\n2,3,0.5\n3,1,0.25\n',
    'cn.jsonl': '{"step":0,"value":12,"derivatives":[]}\n{"step":5,"value":11,"derivatives":[]}\n',
  }),
);

const plot = (...argv: string[]) =>
  runCli(['plot', ...argv.map((word) => (/\.\w+$/.test(word) ? work.path(word) : word))]);
const image = () => readFileSync(work.path('out.svg'), 'utf8');
const pointsOf = (svg: string) =>
  [...svg.matchAll(/<polyline points="([^"]+)"/g)].map((match) => match[1]!.split(' ').length);

describe('corpuscle plot', () => {
  it('draws the first values of a table over time', async () => {
    const { code, out } = await plot('thermo.csv', '--output', 'out.svg');
    expect({ code, out }).toEqual({ code: 0, out: `${work.path('out.svg')}\n` });
    expect(image()).toMatch(/>time<\/text>[\s\S]*>temperature<\/text>/);
    expect(pointsOf(image())).toEqual([40]);
  });

  it('draws several columns from a time on', async () => {
    await plot('thermo.csv', '--y', 'temperature,energy', '--from', '10', '--output', 'out.svg');
    expect(pointsOf(image())).toEqual([20, 20]);
    expect(image()).toMatch(/>energy<\/text>/);
  });

  it.each([
    [
      'torn.csv',
      'r,g\n1,2\n2,3\n3,1\n4',
      /^the last line of \S*torn\.csv is torn: it is left out\n$/,
    ],
    ['sign.csv', 'r,g\n1,2\n2,3\n3,1\n4,-', /torn: it is left out/],
    [
      'lines.jsonl',
      '{"r":1,"g":2}\n{"r":2,"g":3}\n{"r":3,"g":1}\n{"r":4,"g"',
      /torn: it is left out/,
    ],
    ['open.csv', 'r,g\n1,2\n2,3\n3,1', /^$/],
    ['open.jsonl', '{"r":1,"g":2}\n{"r":2,"g":3}\n{"r":3,"g":1}', /^$/],
  ])('leaves a torn last line out of %s, and says so', async (name, text, told) => {
    work.write({ [name]: text });
    const { code, err } = await plot(name, '--output', 'out.svg');
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(told) });
    expect(pointsOf(image())).toEqual([3]);
  });

  it('draws errors that a table has, to the ends of the bars', async () => {
    await plot('rdf.csv', '--output', 'out.svg');
    // Marks at 0, 3 and 1 and bars from 2.5 to 3.5: the axis goes on to 4.
    expect(image()).toMatch(/>4<\/text>/);
    const bars = [
      ...image().matchAll(
        /<line x1="([\d.]+)" y1="([\d.]+)" x2="\1" y2="([\d.]+)" stroke="#1f6fb4"/g,
      ),
    ];
    const heights = bars.map((match) => Number(match[2]) - Number(match[3]));
    expect(heights).toHaveLength(3);
    expect(heights[1]! / heights[2]!).toBeCloseTo(2, 2);
  });

  it('prints a mean with the error of blocks, and draws both', async () => {
    const { out } = await plot('thermo.csv', '--mean', '--output', 'out.svg');
    expect(out).toMatch(/^temperature 1\.5 ± 0\.08\d*\n/);
    expect(pointsOf(image())).toEqual([40, 2]);
  });

  it('says of one value that it has no error', async () => {
    work.write({ 'one.csv': 'time,temperature\n0,1.5\n' });
    const { out } = await plot('one.csv', '--mean', '--output', 'out.svg');
    expect(out).toMatch(/^temperature 1\.5, one value without an error\n/);
    expect(image()).not.toContain('NaN');
  });

  it('draws numbers of lines of JSON, and keeps an image that is there', async () => {
    await plot('cn.jsonl', '--output', 'out.svg');
    const { err } = await plot('cn.jsonl', '--output', 'out.svg');
    expect(err).toMatch(/out\.svg was there already: it is .*#out\.svg\.1# now/);
    expect(image()).toMatch(/>value<\/text>/);
  });

  it('draws the same as PNG, letters too', async () => {
    const inks: number[] = [];
    for (const title of ['ΔÅ 1', ' ']) {
      await plot('thermo.csv', '--title', title, '--output', 'out.png', '--overwrite');
      const { width, height, channels, data } = decode(readFileSync(work.path('out.png')));
      expect([width, height]).toEqual([1440, 880]);
      const count = (rows: number, color: readonly number[]): number => {
        let found = 0;
        for (let k = 0; k < channels * width * rows; k += channels)
          if (color.every((part, c) => data[k + c] === part)) found++;
        return found;
      };
      expect(count(height, [31, 111, 180])).toBeGreaterThan(2000);
      inks.push(count(64, [0, 0, 0])); // the title is in the first rows
    }
    expect(inks[0]).toBeGreaterThan(100);
    expect(inks[1]).toBe(0);
  });

  it('prints image and means as JSON', async () => {
    const { out } = await plot('thermo.csv', '--mean', '--json', '--output', 'out.svg');
    const { output, means } = JSON.parse(out);
    expect(output).toBe(work.path('out.svg'));
    expect(means).toEqual([
      {
        file: displayPath(work.path('thermo.csv')),
        name: 'temperature',
        mean: 1.5,
        error: expect.closeTo(0.08, 2),
        values: 40,
      },
    ]);
  });

  it.each([
    [['thermo.csv', '--y', 'temprature'], /no such column: did you mean 'temperature'\?/],
    [['thermo.csv', '--output', 'out.jpg'], /plots are SVG or PNG: name a file \.svg or \.png/],
    [['thermo.csv', '--from', '99'], /--from 99: .*thermo\.csv ends before/],
    [['none.csv'], /cannot read the table '.*none\.csv': there is no such file, check its name\n$/],
  ])('says what is wrong with %s', async (argv, message) => {
    const { code, err } = await plot(...argv);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
