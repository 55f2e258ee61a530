import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/functor/error';
import { describe, expect, it } from 'vitest';
import { loadSimulation } from '../../src/graph/loadSimulation.js';
import { limits } from '../../src/io/limits.js';
import { folder, inFolder, load, registry } from './fixture.js';

inFolder();

/** A quiet machine takes a fifth of it. */
const PATIENCE = 8000;

/** The error of what must be refused soon. */
function refusal(action: () => unknown): CorpuscleError {
  const start = performance.now();
  try {
    action();
  } catch (error) {
    expect(performance.now() - start).toBeLessThan(PATIENCE);
    expect(error).toBeInstanceOf(CorpuscleError);
    expect(error).not.toMatchObject({ code: 'INTERNAL' });
    return error as CorpuscleError;
  }
  throw new Error('nothing was refused');
}

const refused = (text: string) => refusal(() => load(text));

/** `levels` lists, each nine times the one before. */
function laughs(levels: number): string {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
  for (let k = 1; k <= levels; k++)
    lines.push(
      `a${k}: &a${k} [${Array(9)
        .fill(`*a${k - 1}`)
        .join(',')}]`,
    );
  return `${lines.join('\n')}\n`;
}

describe('documents that are small and mean much', () => {
  it.each([6, 12, 60])('aliases of aliases, %i levels deep', (levels) => {
    const error = refused(`${laughs(levels)}simulation: [*a${levels}]\n`);
    expect(error.code).toBe('SYNTAX');
    expect(error.message).toContain('aliases');
    expect(error.location?.frame).toContain('^');
  });

  it('merge keys of aliases', () => {
    const entry = Array.from({ length: 1000 }, (_, k) => `k${k}: 1`).join(', ');
    const error = refused(`a: &a { ${entry} }\nb: { <<: [${Array(1000).fill('*a').join(',')}] }\n`);
    expect(error.message).toContain('aliases');
  });

  it('a chain of aliases deeper than text may be', () => {
    const lines = Array.from({ length: 200 }, (_, k) => `a${k + 1}: &a${k + 1} [*a${k}]`);
    expect(refused(`a0: &a0 [x]\n${lines.join('\n')}\n`).message).toContain('deep');
  });

  it('batches that name batches', () => {
    const lines = Array.from(
      { length: 30 },
      (_, k) =>
        `b${k}: [${Array(9)
          .fill(k === 29 ? 'nop' : `b${k + 1}`)
          .join(', ')}]`,
    );
    const error = refused(`${lines.join('\n')}\nsimulation: [b0]\n`);
    expect(error.code).toBe('INVALID_VALUE');
    expect(error.message).toContain(String(limits.graphNodes));
  });

  it('files that include each other twice', () => {
    mkdirSync(folder, { recursive: true });
    for (let k = 0; k < 12; k++) {
      const text = k === 11 ? 'global: {}\n' : `includes: [t${k + 1}.yaml, t${k + 1}.yaml]\n`;
      writeFileSync(path.join(folder, `t${k}.yaml`), text);
    }
    const error = refusal(() =>
      loadSimulation([path.join(folder, 't0.yaml')], { operators: registry() }),
    );
    expect(error.message).toContain('included');
  });
});

describe('documents that are large', () => {
  it.each([
    ['lists inside lists', '['.repeat(100_000)],
    ['lists inside lists, closed', '['.repeat(300) + ']'.repeat(300)],
    ['maps inside maps', '{a: '.repeat(10_000)],
    ['dashes', '- '.repeat(50_000)],
    ['question marks', '? '.repeat(50_000)],
    [
      'keys on deeper lines',
      Array.from({ length: 500 }, (_, k) => `${' '.repeat(k)}a:`).join('\n'),
    ],
    ['tags', `a: ${'!!str '.repeat(50_000)}`],
    ['anchors', `a: ${'&a '.repeat(50_000)}`],
    ['commas', `a: [${','.repeat(50_000)}]`],
    ['32,000 keys', Array.from({ length: 32_000 }, (_, k) => `key${k}: 1`).join('\n')],
    ['32,000 equal keys', 'key: 1\n'.repeat(32_000)],
    ['1,000 batches', Array.from({ length: 1000 }, (_, k) => `batch${k}: [say]`).join('\n')],
    ['2 million characters', `# ${'x'.repeat(2_000_000)}\n`],
  ])('%s', (_, text) => {
    const error = refused(text);
    expect(error.location?.line).toBeGreaterThan(0);
    expect(error.message.length + error.location!.frame!.length).toBeLessThan(2000);
  });

  it('a thousand aliases of one anchor are resolved without a search for each', () => {
    const uses = Array.from({ length: 1000 }, (_, k) => `b${k}: *a`).join('\n');
    const error = refused(`a: &a [say: { text: x }]\n${uses}\nsimulation: nobody_knows_this\n`);
    expect(error.code).toBe('UNKNOWN_OPERATOR');
  });
});

describe('numbers with units', () => {
  it.each([
    ['parentheses', '('.repeat(2000)],
    ['signs', '-'.repeat(2000)],
    ['powers', `2${'^2'.repeat(1500)}`],
    ['functions', 'exp('.repeat(900)],
    ['length', '1+'.repeat(100_000)],
  ])('too many %s', (_, value) => {
    const block = `pair_force: { rcut: '${value}' }`;
    const error = refused(`particle_types: { A: { mass: '${value}' } }\nsimulation: [${block}]\n`);
    expect(error.location).toMatchObject({ line: 1 });
    expect(error.message).toMatch(/deep|characters/);
  });
  it.each(['constructor(2)', 'toString(1)', 'hasOwnProperty'])('%s is no function', (value) => {
    expect(
      refused(`particle_types: { A: { mass: '${value}' } }\nsimulation: [nop]\n`).code,
    ).toMatch(/UNKNOWN_UNIT|WRONG_TYPE|SYNTAX/);
  });
});

describe('an include that is no document', () => {
  const including = (content: string) => {
    writeFileSync(path.join(folder, 'secret.txt'), content);
    writeFileSync(path.join(folder, 'top.yaml'), 'includes: [secret.txt]\nsimulation: [nop]\n');
    return refusal(() =>
      loadSimulation([path.join(folder, 'top.yaml')], { operators: registry() }),
    );
  };
  it.each([
    'root:x:0:0\ntop-secret: [\n',
    'top-secret',
    '- top-secret\n',
    'a: *top-secret\n',
    'a: 1\na: top-secret\n',
    '%top-secret\n---\n',
  ])('tells name, line and column of %j, and nothing that stands in it', (content) => {
    const error = including(content);
    expect(error.code).toBe('SYNTAX');
    expect(error.location?.file).toContain('secret.txt');
    expect(error.location?.line).toBeGreaterThan(0);
    expect(error.location?.frame).toBeUndefined();
    expect(JSON.stringify([error.message, error.location])).not.toContain('top-secret');
  });
});

it('a file without end, such as a device, is refused after as much as a document may have', () => {
  const { code, message } = refusal(() => loadSimulation(['/dev/zero'], { operators: registry() }));
  expect([code, message]).toEqual([
    'INVALID_VALUE',
    expect.stringMatching(/has more than \d+ bytes/),
  ]);
});

it('a text in UTF-16 is told to be one', () => {
  const text = Buffer.from('\ufeffsimulation: molecular_dynamics\n', 'utf16le');
  writeFileSync(path.join(folder, 'wide.yaml'), text);
  const load = () => loadSimulation([path.join(folder, 'wide.yaml')], { operators: registry() });
  expect(refusal(load).message).toMatch(/wide\.yaml is a text in UTF-16: save it as UTF-8/);
});
