import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleScript } from './support/bundleScript.js';
import { blocksOf, followedPages, writeBlock, writeParts } from './support/pages.js';
import { runScripts, type Script } from './support/runScripts.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** What npx does with a package that is installed, without the second in which npm starts. */
const npx = 'PATH="$CORPUSCLE/node_modules/.bin:$PATH"; npx() { "$@"; }';

/** Commands whose scripts may be run in one process. */
const SCRIPT = /^npx tsx (\S+\.ts) (cpu|webgpu)\n/gm;
/** Those that run tests in TypeScript: here as JavaScript, which Node starts at once (bundleScript). */
const TEST = /^npx tsx --test (\S+)\.ts$/gm;

/**
 * Does what a page says, block by block: writes its files and runs its commands, in a new folder, on the built packages.
 * @param scripts takes commands that `runScripts` runs, which is many times cheaper.
 */
async function follow(page: string, folder: string, scripts: Script[]): Promise<string> {
  let output = '';
  // A test that is run again begins in an empty folder, as the first time.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const block of blocksOf(page)) {
    const { language, text } = block;
    if (!writeBlock(block, folder) && language === 'sh') {
      const env = {
        ...process.env,
        CORPUSCLE: root,
        CORPUSCLE_SOFTWARE_GPU: '1',
        NODE_OPTIONS: '',
      };
      for (const [, name] of text.matchAll(TEST))
        await bundleScript(join(folder, `${name}.ts`), join(folder, `${name}.mjs`));
      const commands = text.replace(SCRIPT, '').replace(TEST, 'node --test $1.mjs');
      for (const [, script, argument] of text.matchAll(SCRIPT))
        scripts.push({ file: join(folder, script!), argument: argument! });
      const { stdout } = await run('bash', ['-ec', `${npx}\n${commands}`], { cwd: folder, env });
      output += stdout;
    }
  }
  return output;
}

const home = mkdtempSync(join(tmpdir(), 'corpuscle-docs-'));
afterAll(() => rmSync(home, { recursive: true }));

const folderOf = (page: string): string => join(home, page);

/** Results of the pages of patterns. */
const patterns = [
  ['blockParallelFor', ['4950', '99', '10', '5', '15', '1']],
  ['computeCellParticles', ['256', '768', '0']],
  ['reduceCellParticles', ['1256', '1', '64', '64', '64', '64', '1.75', '1.3125']],
  ['asynchrony', ['aab', 'INDEX_OUT_OF_RANGE']],
  ['preparedCalls', ['12.8', '5.12', '1', '30']],
] as const;

const examples = readdirSync(`${root}/examples`).filter((name) => name.endsWith('.ts'));
const backends = ['cpu', 'webgpu'] as const;
const exampleRuns = examples.flatMap((name) => backends.map((backend) => ({ name, backend })));
/** What each example prints on each backend. */
const printedBy = new Map<string, string>();

/** What the pages have printed. */
const outputs = new Map<string, string>();
beforeAll(async () => {
  const scripts: Script[] = [];
  for (const page of followedPages)
    outputs.set(page, await follow(`${page}.md`, folderOf(page), scripts));
  scripts.push(writeParts(folderOf('parts')));
  symlinkSync(join(root, 'node_modules'), join(folderOf('parts'), 'node_modules'));
  outputs.set('parts', '');
  // Those of pages and examples are one process: it loads the packages once, and compiles what several need once.
  const ofExamples = exampleRuns.map(({ name, backend }) => ({
    file: `${root}/examples/${name}`,
    argument: backend,
  }));
  const printed = await runScripts([...scripts, ...ofExamples]);
  for (const [k, { file }] of scripts.entries()) {
    const page = relative(home, dirname(file));
    outputs.set(page, outputs.get(page)! + printed[k]);
  }
  for (const [k, { name, backend }] of exampleRuns.entries())
    printedBy.set(`${name} ${backend}`, printed[scripts.length + k]!);
}, 240_000);

describe('write-your-own-operator.md', () => {
  const folder = folderOf('write-your-own-operator');

  test('the potential has at most 60 lines', () => {
    const lines = readFileSync(join(folder, 'softSphere.ts'), 'utf8').split('\n').length;
    expect(lines).toBeLessThanOrEqual(60);
  });

  test('the test of the potential passes', () => {
    const output = outputs.get('write-your-own-operator');
    expect(output).toMatch(/^# pass 2$/m);
    expect(output).toMatch(/^# fail 0$/m);
  });

  test('both runs give the same on both backends', () => {
    const output = outputs.get('write-your-own-operator')!;
    const found = [...output.matchAll(/^(cpu|webgpu): step (\d+), total energy (\S+)$/gm)];
    expect(found.map(([, backend, step]) => `${backend} ${step}`)).toEqual([
      'cpu 20',
      'webgpu 20',
      'cpu 20',
      'webgpu 20',
    ]);
    const [a, b, c, d] = found.map((match) => Number(match[3]));
    // f32 forces along 20 steps.
    expect(Math.abs(b! / a! - 1)).toBeLessThan(2e-5);
    expect(Math.abs(d! / c! - 1)).toBeLessThan(2e-5);
  });
});

describe('pages of patterns', () => {
  test.each(patterns)(
    'the examples of %s.md give what their comments say on both backends',
    (page, expected) => {
      for (const backend of ['cpu', 'webgpu']) {
        const found = new RegExp(`^${backend}: (.*)$`, 'm')
          .exec(outputs.get(`patterns/${page}`)!)![1]!
          .split(' ');
        expect(found.length).toBe(expected.length);
        found.forEach((text, k) => {
          const number = Number(expected[k]);
          if (Number.isNaN(number)) expect(text).toBe(expected[k]);
          else expect(Math.abs(Number(text) - number)).toBeLessThan(1e-6 * Math.max(1, number));
        });
      }
    },
  );
});

describe('patterns.md', () => {
  test('the examples give what their comments say on both backends', () => {
    const output = outputs.get('patterns')!;
    const a2 = (4 / 0.8442) ** (2 / 3) / 2; // distance of nearest neighbors, squared
    const results = [2800, 512, 1256, 2 * 256 * 6 * a2, 256 * 18];
    results.push(256 * 12 - 3, 96 * 12, 256 * 18, 256 * 144);
    for (const backend of ['cpu', 'webgpu']) {
      const line = new RegExp(`^${backend}: (.*)$`, 'm').exec(output)![1]!.split(' ').map(Number);
      line.forEach((value, k) => {
        expect(Math.abs(value / results[k]! - 1)).toBeLessThan(1e-5); // six digits are printed
      });
    }
  });
});

describe('analyses.md', () => {
  test('the run writes the tables that the page names', () => {
    expect(outputs.get('analyses')!.trim().split('\n')).toEqual([
      'step,time,msd,msd_x,msd_y,msd_z,error,origins',
      '100',
    ]);
  });
});

test('code that is part of a program does what it says', () => {
  const ran = outputs.get('parts')!.match(/^\.\/\S+$/gm);
  expect(ran).toHaveLength(9);
});

describe('examples', () => {
  test('the four of the seed page are there', () => {
    expect(examples).toEqual(
      expect.arrayContaining([
        '02-add-value.ts',
        '03-add-velocity.ts',
        '04-sum-force-norm.ts',
        '05-lennard-jones.ts',
      ]),
    );
  });

  describe.each(examples)('%s', (name) => {
    test('has fewer than 60 lines', () => {
      const lines = readFileSync(`${root}/examples/${name}`, 'utf8').split('\n').length;
      expect(lines).toBeLessThan(60);
    });

    test.each(backends)('runs on %s and says so', (backend) => {
      const output = printedBy.get(`${name} ${backend}`)!;
      expect(output).toMatch(new RegExp(`\\b${backend}\\b`));
      expect(output.trim().split('\n').length).toBeGreaterThan(0);
    });
  });
});
