import path from 'node:path';
import type { FrameFormat, ParticleFrame } from '@corpuscle/operators';
import type { ConvertOptions } from '../cli.js';
import { exitCode } from '../exitCodes.js';
import { loadCommand } from '../program/loadCommand.js';
import type { Streams } from '../Streams.js';
import { frameRange } from './frameRange.js';

/** Ångström of the units that formats may have. */
const LENGTHS = { ang: 1, nm: 10 } as const;

/** `corpuscle convert`: an input of another program; or frames of a file, one in memory at a time, in another format. */
export async function convert(
  from: string,
  to: string | undefined,
  options: ConvertOptions,
  streams: Streams,
): Promise<number> {
  const { convertScript, languageOf } = await import('../convert/convertScript.js');
  const language = languageOf(from, to, options.from);
  if (language) return convertScript(from, to, language, options, streams);
  return convertFrames(from, to, options, streams);
}

async function convertFrames(
  from: string,
  to: string | undefined,
  options: ConvertOptions,
  streams: Streams,
): Promise<number> {
  const [{ OutputFolder, CorpuscleError }, { findFormat, outputTarget, scaleFrame }] =
    await loadCommand(() =>
      Promise.all([import('@corpuscle/core'), import('@corpuscle/operators')]),
    );
  const wrong = (message: string) => new CorpuscleError('INVALID_VALUE', message);
  if (to === undefined) throw wrong(`'${from}' has frames: name the file to write`);
  const [source, target] = [findFormat(from, options.from), findFormat(to, options.to)];
  const { read } = source;
  if (!read)
    throw wrong(`files of ${source.name} are written, not read: convert from another file`);
  if (!target.write) throw wrong(`files of ${target.name} are read, not written`);
  if (path.resolve(from) === path.resolve(to)) throw wrong('from and to are the same file');
  const frames = () => read(from, { onNote: (text) => streams.err(`${text}\n`) });
  const range = await frameRange(options.frames ?? '::', '--frames', frames);
  const factor = lengthFactor(source, target, options.unit);
  const output = new OutputFolder('.', {
    use: 'shared', // a run may be writing here
    older: options.overwrite ? 'replace' : 'keep',
    onNotice: (text) => streams.err(`${text}\n`),
  });
  output.check(to);
  let count = 0;
  let last: ParticleFrame | null = null;
  try {
    const writer = target.write(outputTarget(output, to));
    let index = 0;
    for await (const frame of frames()) {
      if (index >= range.end) break;
      if (index >= range.begin && (index - range.begin) % range.stride === 0) {
        if (!last) tellLost(frame, target, streams);
        if (!target.holdsOne) await writer.write(scaleFrame(frame, factor, 1));
        last = frame;
        count++;
      }
      index++;
    }
    if (!last)
      throw wrong(
        `'${from}' has ${index === 0 ? 'no frames' : `${index} frames: none of them is asked for`}`,
      );
    if (target.holdsOne) await writer.write(scaleFrame(last, factor, 1));
    await writer.close();
  } finally {
    await output.close();
  }
  let what = count === 1 ? '1 frame' : `${count} frames`;
  if (target.holdsOne && count > 1) what = `the last of ${what}`;
  streams.out(`${to}: ${what} of ${last.count} particles, ${source.name} to ${target.name}\n`);
  return exitCode.done;
}

/** Columns that the other format has no place for. */
function tellLost(frame: ParticleFrame, target: FrameFormat, streams: Streams): void {
  const lost = [...frame.extra].filter(([, column]) => !target.keepsColumn?.(column));
  if (lost.length > 0)
    streams.err(
      `files of ${target.name} have no place for ${lost.map(([name]) => name).join(', ')}\n`,
    );
}

function lengthFactor(
  source: FrameFormat,
  target: FrameFormat,
  unit: ConvertOptions['unit'],
): number {
  const free = { angstrom: 1, nanometer: 10, none: null }[unit];
  const length = ({ units }: FrameFormat) => (units ? LENGTHS[units.length] : free);
  const [from, to] = [length(source), length(target)];
  return from === null || to === null ? 1 : from / to;
}
