import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { anyFrame, writeFrames } from '../../../../../test/support/frames.js';
import { askPython, pythonWith } from '../../../../../test/support/oracles.js';
import { vtp } from './vtp.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-vtp-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [sample] = fc.sample(
  anyFrame({ columns: ['velocity', 'force', 'energy', 'charge', 'image'] }),
  {
    numRuns: 1,
    seed: 3,
  },
);
const frames = [0, 100, 200].map((step) => ({ ...sample!, step, time: step / 50 }));

/** An array of a .vtp as text and offsets say, without VTK. */
function arrayOf(bytes: Buffer, name: string): number[] {
  const mark = bytes.indexOf('<AppendedData encoding="raw">\n_');
  const text = bytes.subarray(0, mark).toString();
  const tag = new RegExp(`<DataArray type="(\\w+)" Name="${name}"[^>]* offset="(\\d+)"/>`).exec(
    text,
  )!;
  const at = mark + 31 + Number(tag[2]);
  const data = bytes.subarray(at + 8, at + 8 + Number(bytes.readBigUInt64LE(at)));
  const size = tag[1]!.endsWith('64') ? 8 : 4;
  return Array.from({ length: data.length / size }, (_, k) =>
    tag[1] === 'Float64'
      ? data.readDoubleLE(8 * k)
      : tag[1] === 'Int64'
        ? Number(data.readBigInt64LE(8 * k))
        : data.readInt32LE(4 * k),
  );
}

describe('a series of .vtp', () => {
  it('has every bit of its frames, and a list of their times', async () => {
    const list = (await writeFrames(vtp, join(folder, 'a.pvd'), frames)).toString();
    expect(readdirSync(folder).sort()).toEqual(['a.0.vtp', 'a.100.vtp', 'a.200.vtp', 'a.pvd']);
    const entries = [...list.matchAll(/timestep="([^"]*)".* file="([^"]*)"/g)];
    expect(entries.map(([, time, name]) => [time, name])).toEqual([
      ['0', 'a.0.vtp'],
      ['2', 'a.100.vtp'],
      ['4', 'a.200.vtp'],
    ]);
    const bytes = readFileSync(join(folder, 'a.100.vtp'));
    for (const name of [
      'position',
      'velocity',
      'force',
      'energy',
      'charge',
      'image',
      'id',
    ] as const)
      expect(arrayOf(bytes, name)).toEqual([...sample![name]!]);
    expect(arrayOf(bytes, 'lattice')).toEqual(sample!.lattice);
    expect(arrayOf(bytes, 'TimeValue')).toEqual([2]);
  });
});

const python = pythonWith('vtk');

describe.skipIf(python === null)('VTK', () => {
  it('reads points, vectors, ids and field data', async () => {
    await writeFrames(vtp, join(folder, 'b.pvd'), frames.slice(0, 1));
    const answer = askPython<Record<string, number[]>>(
      python!,
      `import sys, json, vtk
r = vtk.vtkXMLPolyDataReader()
r.SetFileName(sys.argv[1])
r.Update()
o = r.GetOutput()
def flat(a): return [x for k in range(a.GetNumberOfTuples()) for x in a.GetTuple(k)]
p = o.GetPointData()
print('@json' + json.dumps(dict(position=flat(o.GetPoints().GetData()), velocity=flat(p.GetArray('velocity')), id=flat(p.GetArray('id')),
  type=flat(p.GetArray('type')), lattice=flat(o.GetFieldData().GetArray('lattice')), cells=[o.GetNumberOfVerts(), o.GetCell(0).GetNumberOfPoints()])))`,
      join(folder, 'b.0.vtp'),
    );
    expect(answer).toEqual({
      position: [...sample!.position],
      velocity: [...sample!.velocity!],
      id: [...sample!.id!],
      type: [...sample!.type],
      lattice: sample!.lattice,
      cells: [1, sample!.count],
    });
  });
});
