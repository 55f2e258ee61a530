import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, importsBelow, root, target } from '../support/importGraph.js';

const source = 'packages/patterns/src';
const imports = importsBelow(source);

/** Imports of files below a folder (or of all) that lead into one of the other folders, types too. */
function leading(from: string, to: readonly string[]): string[] {
  const found: string[] = [];
  for (const [file, list] of imports) {
    if (!file.startsWith(`${source}/${from}`)) continue;
    for (const { specifier } of list) {
      if (!specifier.startsWith('.')) continue;
      const path = target(file, specifier);
      if (to.some((folder) => path.startsWith(`${source}/${folder}/`)))
        found.push(`${file.slice(source.length + 1)} → ${path.slice(source.length + 1)}`);
    }
  }
  return found.sort();
}

describe('engines', () => {
  it('never see each other, not even their types', () => {
    expect([...leading('cpu/', ['gpu']), ...leading('gpu/', ['cpu'])]).toEqual([]);
  });

  it('are made of plans, handles and values, not of the patterns or the context', () => {
    for (const engine of ['cpu/', 'gpu/'])
      expect(leading(engine, ['pattern', 'context', 'kernels'])).toEqual([]);
  });

  it('are known by name where contexts are made, and nowhere else', () => {
    expect(
      leading('', ['cpu', 'gpu']).filter((edge) => !/^(cpu|gpu|platform)\//.test(edge)),
    ).toEqual([
      'context/builtinEngines.ts → cpu/CpuEngine.ts',
      'context/builtinEngines.ts → gpu/registration.ts',
      'context/builtinEngines.ts → gpu/replicas/openSharedDevice.ts',
      ...publicExports(),
      'kernels/listKernels.ts → gpu/device/textDevice.ts',
      'worker.ts → cpu/controlBlock.ts',
      'worker.ts → cpu/serveFromPort.ts',
      'worker.ts → cpu/watch.ts',
    ]);
  });

  it('are loaded when they are opened: nothing but the registration reaches the GPU before', () => {
    const fixed = imports.get(`${source}/gpu/registration.ts`) as readonly Import[];
    expect(fixed.filter(({ typeOnly }) => !typeOnly).map(({ specifier }) => specifier)).toEqual([
      './openGpuEngine.js',
    ]);
    const text = readFileSync(join(root, source, 'gpu/registration.ts'), 'utf8');
    expect(text).toContain("await import('./openGpuEngine.js')");
  });
});

describe('what a call is', () => {
  it.each(['plan/', 'handles/', 'engine/', 'value/', 'pattern/'])(
    '%s knows no engine',
    (folder) => {
      expect(leading(folder, ['cpu', 'gpu'])).toEqual([]);
    },
  );

  it('is planned below the patterns', () => {
    for (const folder of ['plan/', 'handles/'])
      expect(leading(folder, ['pattern', 'context', 'kernels'])).toEqual([]);
    expect(leading('engine/', ['pattern', 'context', 'kernels'])).toEqual([]);
  });
});

describe.each(['webgl', 'operators', 'cli'])('the sources of %s', (name) => {
  it('use other packages by their entry points', () => {
    const wrong: string[] = [];
    for (const [file, list] of importsBelow(`packages/${name}/src`))
      for (const { specifier } of list) {
        const [, other, entry = '.'] = /^@corpuscle\/(\w+)(?:\/(.*))?$/.exec(specifier) ?? [];
        if (other === undefined) continue;
        const manifest = readFileSync(join(root, 'packages', other, 'package.json'), 'utf8');
        const entries = Object.keys((JSON.parse(manifest) as { exports: object }).exports);
        if (!entries.includes(entry === '.' ? '.' : `./${entry}`))
          wrong.push(`${file}: ${specifier}`);
      }
    expect(wrong).toEqual([]);
  });
});

/** What the package exports of its engines: facts about machines, and threads for those who bring kernels of their own. */
function publicExports(): string[] {
  return leading('index.ts', ['cpu', 'gpu']);
}
