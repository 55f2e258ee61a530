// All statistics in their long form, many runs beside each other in processes of their own, without vitest.
//
//   npx tsx test/statistics/many.ts [--cpu 12] [--webgpu 4] [--only bussi] [--part 1] [--minutes 600]
//
// `--cpu` and `--webgpu`: so many runs at a time on that backend; 0 leaves it out. `--only`: checks whose names match. `--part`: of the
// steps of most runs, so that a card is done in minutes; errors are larger then, and a drift is not told from noise. Each check
// prints what it finds, with standard errors and what is wanted. No run begins or goes on after so many minutes; checks that lack one
// are named. The exit code is 1 where anything is not as wanted. The packages must be built. Without a card WebGPU runs on a
// software adapter, for hours.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Backend, Check } from './checks/Check.js';

const { values } = parseArgs({
  options: {
    cpu: { type: 'string', default: String(availableParallelism()) },
    webgpu: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
    part: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    /** Of a child: "check number backend file", and it makes this run alone. */
    run: { type: 'string' },
  },
});

process.env.CORPUSCLE_STATISTICS = '1';
process.env.CORPUSCLE_STATISTICS_PART = values.part;
process.env.CORPUSCLE_SOFTWARE_GPU = '1';
const { line } = await import('./checks/Check.js');
const { allChecks } = await import('./checks/all.js');

/** Lets so many at a time go. */
class Gate {
  private readonly waiting: (() => void)[] = [];
  constructor(private free: number) {}

  async through<T>(make: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((go) => this.waiting.push(go));
    try {
      return await make();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}

const begun = performance.now();
const seconds = () => (performance.now() - begun) / 1000;

/** Makes a run in a process of its own. */
function runBeside(check: number, number: number, backend: Backend, folder: string) {
  const left = 60 * Number(values.minutes) - seconds();
  if (left <= 0) return Promise.reject(new Error('no time is left'));
  const file = path.join(folder, `${check}-${number}-${backend}.json`);
  const script = fileURLToPath(import.meta.url);
  const which = `${check} ${number} ${backend} ${file}`;
  const argv = ['--import', 'tsx', script, '--part', values.part, '--run', which];
  return new Promise<unknown>((resolve, reject) => {
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
    const end = setTimeout(() => child.kill('SIGKILL'), 1000 * left);
    let complaint = '';
    child.stderr.on('data', (text) => {
      complaint += text;
    });
    child.on('exit', (code, signal) => {
      clearTimeout(end);
      if (code === 0) resolve(JSON.parse(readFileSync(file, 'utf8')));
      else reject(new Error(signal ? 'no time is left' : messageOf(complaint)));
    });
  });
}

/** The line that says what went wrong. */
const messageOf = (complaint: string): string =>
  complaint.split('\n').find((one) => /^\w*Error\b/.test(one)) ?? complaint.slice(-500);

/** Judges all checks on a backend, with so many runs at a time. @returns how many findings are good, and how many things are not. */
async function judgeAll(backend: Backend, sideBySide: number, folder: string) {
  const gate = new Gate(sideBySide);
  let [good, bad] = [0, 0];
  const judge = async (check: Check, index: number) => {
    const made = new Map<number, Promise<unknown>>();
    const say = (text: string) =>
      console.log(
        `${seconds().toFixed(0).padStart(4)} s  ${backend.padEnd(6)} ${check.name}: ${text}`,
      );
    try {
      const findings = await check.judge((number) => {
        if (!made.has(number))
          made.set(
            number,
            gate.through(() => runBeside(index, number, backend, folder)),
          );
        return made.get(number)!;
      });
      for (const finding of findings) {
        say(line(finding));
        if (finding.isGood) good++;
        else bad++;
      }
    } catch (error) {
      bad++;
      say(`NOT MADE, ${(error as Error).message}`);
    }
  };
  const chosen = allChecks.map((check, index) => [check, index] as const);
  const only = new RegExp(values.only);
  const those = chosen.filter(([{ name }]) => only.test(name));
  if (those.length === 0) throw new Error(`no check matches ${values.only}`);
  await Promise.all(those.map(([check, index]) => judge(check, index)));
  return { good, bad };
}

if (values.run) {
  const [check, number, backend, file] = values.run.split(' ') as [string, string, Backend, string];
  const sample = await allChecks[Number(check)]!.runs[Number(number)]!(backend);
  writeFileSync(file, JSON.stringify(sample));
  process.exit(0);
}

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-many-'));
const wanted = (['cpu', 'webgpu'] as const).filter((backend) => Number(values[backend]) > 0);
const counts = await Promise.all(
  wanted.map((backend) => judgeAll(backend, Number(values[backend]), folder)),
);
rmSync(folder, { recursive: true });
for (const [k, { good, bad }] of counts.entries())
  console.log(`${wanted[k]}: ${good} findings as wanted, ${bad} not, ${seconds().toFixed(0)} s`);
process.exitCode = counts.some(({ bad }) => bad > 0) ? 1 : 0;
