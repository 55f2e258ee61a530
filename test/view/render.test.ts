import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { decode } from 'fast-png';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from '../support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Three frames of two particles in a box; the second goes to the right. */
const frames = [4, 5, 6]
  .map(
    (x) => `2
Lattice="8 0 0 0 8 0 0 0 8" Properties=species:S:1:pos:R:3:velo:R:3:heat:R:1
Ar 2 4 4 0 3 4 10
Kr ${x} 4 4 0 0 0 20
`,
  )
  .join('');
work.write({ 'pair.xyz': frames });

const small = ['--size', '48x32', '--samples', '1', '--direction', '0,1,0', '--angle', '0'];
const bare = [...small, '--no-box', '--occlusion', '0', '--overwrite'];
const plain = [...bare, '--radius', '1'];

/** Pixels of a file, as a library decodes them that did not write it. */
function pixels(name: string) {
  const { width, height, data, channels } = decode(readFileSync(work.path(name)));
  const at = (x: number, y: number) =>
    [...data.slice(channels * (y * width + x))].slice(0, 3) as [number, number, number];
  return { width, height, at };
}

/** The column of the middle of what is drawn to the right of the middle. */
function rightmost(name: string): number {
  const { width, height, at } = pixels(name);
  const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
    Array.from({ length: height }, (_, y) => at(x, y)).some(([red]) => red < 250),
  );
  return columns.at(-1)!;
}

async function draw(...options: string[]): Promise<string> {
  const { code, err, out } = await runCli(['render', work.path('pair.xyz'), ...options]);
  expect(err).toBe('');
  expect(code).toBe(0);
  return out;
}

it('render writes a PNG that another decoder reads, of the frame that is asked for', async () => {
  const places: number[] = [];
  for (const frame of ['0', '1', '-1']) {
    const out = work.path('one.png');
    expect(await draw('--frame', frame, '--out', out, ...plain)).toBe(`${out}\n`);
    places.push(rightmost('one.png'));
  }
  const { width, height, at } = pixels('one.png');
  expect([width, height]).toEqual([48, 32]);
  expect(at(0, 0)).toEqual([255, 255, 255]);
  // Blue and orange, the first colors of types.
  const [blue, orange] = [at(17, 15), at(31, 15)];
  expect(blue[2]).toBeGreaterThan(blue[0] + 60);
  expect(orange[0]).toBeGreaterThan(orange[2] + 100);
  expect(places[1]! - places[0]!).toBeGreaterThanOrEqual(3);
  expect(places[2]! - places[1]!).toBeGreaterThanOrEqual(3);
});

it('several frames go to numbered files', async () => {
  await draw('--frame', '1:', '--out', work.path('f-%03d.png'), ...plain);
  expect(work.files().filter((name) => name.startsWith('f-'))).toEqual(['f-001.png', 'f-002.png']);
});

it('colors come from velocities and columns of the file, with a legend', async () => {
  const out = work.path('heat.png');
  await draw('--color', 'heat', '--map', 'gray', '--no-legend', '--out', out, ...plain);
  const { at } = pixels('heat.png');
  expect(at(17, 15).every((part) => part < 40)).toBe(true); // the least is black
  expect(at(26, 15).every((part) => part > 150)).toBe(true);
  await draw('--color', 'speed', '--range', '0,5', '--out', out, ...plain);
  const colors = new Set<string>();
  const legend = pixels('heat.png');
  for (let x = 6; x < 42; x++) colors.add(String(legend.at(x, 16)));
  expect(colors.size).toBeGreaterThan(10);
});

it('slices leave out, images repeat, and the background has its color', async () => {
  const out = work.path('cut.png');
  await draw('--slice', 'x:3:', '--background', 'f0f0f0', '--out', out, ...plain);
  const { at } = pixels('cut.png');
  expect(at(17, 15)).toEqual([240, 240, 240]);
  expect(at(26, 15)).not.toEqual([240, 240, 240]);
  await draw('--images', '1x1x2', '--out', out, ...plain);
  const { width, height, at: both } = pixels('cut.png');
  const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
    Array.from({ length: width }, (_, x) => both(x, y)).some(([red]) => red < 250),
  );
  expect(rows.at(-1)! - rows[0]!).toBeGreaterThan(rows.length); // two rows of spheres, white between
});

describe('files of every kind are drawn', () => {
  it.each(['lammpstrj', 'data', 'gsd', 'dcd', 'xtc', 'h5md'])('%s', async (ending) => {
    const [from, to] = [work.path('pair.xyz'), work.path(`pair.${ending}`)];
    const frame = ['--frames', '2', '--overwrite'];
    expect((await runCli(['convert', from, to, ...frame])).code).toBe(0);
    const out = work.path(`${ending}.png`);
    // Without a radius it is found from the distances: files of some formats are in nanometers.
    const drawn = await runCli(['render', to, '--out', out, ...bare]);
    expect(drawn).toMatchObject({ code: 0, out: `${out}\n` });
    await draw('--frame', '2', '--out', work.path('xyz.png'), ...bare);
    expect(rightmost(`${ending}.png`)).toBe(rightmost('xyz.png'));
  });
});

it.each([
  [['--size', 'big'], '--size big is not WIDTHxHEIGHT'],
  [['--slice', 'w:1:2'], '--slice w:1:2 is not AXIS:FROM:TO'],
  [['--images', '0x1x1'], '--images 0x1x1 is not boxes'],
  [['--color', 'het'], "--color het: particles have no such number: did you mean 'heat'?"],
  [['--color', 'heat', '--map', 'rainbow'], "there is no map 'rainbow' (there are viridis, "],
  [['--map', 'virids'], "there is no map 'virids': did you mean 'viridis'?"],
  [['--range', '1'], '--range 1: give 2 numbers'],
  [['--zoom', '0'], '--zoom 0: give a number above 0'],
  [['--angle', '180'], '--angle 180: give degrees from 0'],
  [['--occlusion', '5'], '--occlusion 5: give a number from 0 to 1'],
  [['--out', 'no.jpg'], '--out no.jpg: pictures are PNG: name a file .png'],
  [['--frame', '::'], 'put their number into the name'],
  [['--frame', '7'], 'has 3 frames: none of them is asked for'],
  [['--background', 'sky'], '--background sky is no color'],
  [['--direction', '0,0,0'], 'cannot look at'],
])('%j is told', async (options, message) => {
  const argv = ['render', work.path('pair.xyz'), '--out', work.path('no.png'), ...options];
  const { code, err } = await runCli(argv);
  expect(err).toContain(message);
  expect(code).toBe(2);
  expect(work.files()).not.toContain('no.png');
});

describe('a movie', () => {
  const before = process.env.PATH;
  afterEach(() => {
    process.env.PATH = before;
  });
  /** A program in place of ffmpeg: the test needs none. */
  const encoder = (text: string) => {
    work.write({ 'bin/ffmpeg': `#!${process.execPath}\n${text}` });
    chmodSync(work.path('bin/ffmpeg'), 0o755);
    process.env.PATH = work.path('bin');
  };

  it('is made of all frames, which ffmpeg is given as pixels', async () => {
    encoder(`const { readFileSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
writeFileSync(args.at(-1), args.slice(0, -1).join(' ') + '\\n' + readFileSync(0).toString('base64'));`);
    const out = work.path('pair.webm');
    expect(await draw('--movie', out, '--fps', '25', ...plain)).toBe(`${out}\n`);
    const [args, pixels] = readFileSync(out, 'utf8').split('\n');
    expect(args).toMatch(/-f rawvideo -pix_fmt rgba -s 48x32 -r 25 -i - .*-c:v libvpx-vp9/);
    const frames = Buffer.from(pixels!, 'base64');
    expect(frames.length).toBe(3 * 48 * 32 * 4);
    const [first, last] = [frames.subarray(0, 6144), frames.subarray(2 * 6144)];
    expect([...first.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
    expect(first.equals(last)).toBe(false);
  });

  it('that ffmpeg does not make is told in its words, and one without ffmpeg too', async () => {
    encoder(`console.error('no such format'); process.exit(1);`);
    const args = ['render', work.path('pair.xyz'), '--movie', work.path('no.webm'), ...plain];
    expect((await runCli(args)).err).toMatch(/ffmpeg made no movie: no such format/);
    process.env.PATH = work.path('empty');
    expect((await runCli(args)).err).toMatch(/ffmpeg, which is not on the path: install it/);
    expect(existsSync(work.path('no.webm'))).toBe(false);
  });
});
