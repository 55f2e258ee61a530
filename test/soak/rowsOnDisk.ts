import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { meltYaml, type Workplace } from '../support/runCli.js';
import { killRun } from './killRun.js';
import type { Try } from './soak.js';

/** A try is a run that is killed within two seconds after its first row: rows older than a second must be on disk, and whole. */
export function rowsOnDisk(work: Workplace): Try {
  work.write({
    'rows.yaml': meltYaml({
      global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 1 }',
      dump_data: '\n  - write_extended_xyz: { file: frames.xyz, frequency: 10, fields: [pos, id] }',
    }),
  });
  return async (kills, random, seed) => {
    if (!kills.take()) return;
    const folder = `rows-${seed}`;
    const argv = ['rows.yaml', '--backend', 'cpu', '--threads', '1', '--output', folder];
    const moment = { after: 200 + 1900 * random.next(), since: 'first row' } as const;
    const { code, err, settled } = await killRun(work.root, argv, moment);
    assert.equal(code, null, err);
    const table = readFileSync(work.path(`${folder}/thermo.csv`), 'utf8');
    assert.ok(table.endsWith('\n'), 'the last row of the table is whole');
    const rows = table.trimEnd().split('\n');
    for (const [line, row] of rows.entries()) {
      assert.equal(row.split(',').length, 13, `columns of row ${line}`);
      if (line > 0) assert.equal(Number(row.split(',')[0]), line - 1);
    }
    const old = settled.at(-1) ?? -1;
    assert.ok(rows.length - 2 >= old, `row ${old} is lost: there are ${rows.length - 1}`);
    const lines = readFileSync(work.path(`${folder}/frames.xyz`), 'utf8').split('\n');
    const whole = Math.floor((lines.length - 1) / 258);
    assert.ok(whole > Math.floor(old / 10), `a frame is lost: there are ${whole}`);
    kills.survived();
  };
}
