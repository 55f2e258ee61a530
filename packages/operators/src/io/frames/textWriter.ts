import { encodingWriter } from '../thread/encoders.js';
import type { FrameTarget, FrameWriter } from './FrameFormat.js';
import { GzipSink } from './GzipSink.js';

/** A writer of texts whose frames follow each other; compressed where the name ends in `.gz`. */
export function textWriter(
  target: FrameTarget,
  name: 'extended_xyz' | 'lammps_dump',
  columns?: readonly string[],
): FrameWriter {
  const file = target.grow(target.file);
  const gzip = /\.gz$/i.test(target.file) ? new GzipSink(file) : null;
  const sink = gzip ?? file;
  return encodingWriter(name, columns, {
    add: (pieces, { onWritten }) => sink.add(pieces, onWritten),
    save: () => gzip?.endMember().then(() => null) ?? null,
    close: () => sink.close(),
  });
}

/** Joins lines to pieces of some thousand, so that a large frame is never one string. */
export function* joined(lines: Iterable<string>): Generator<string> {
  let pending: string[] = [];
  for (const line of lines) {
    pending.push(line);
    if (pending.length < 4096) continue;
    yield `${pending.join('\n')}\n`;
    pending = [];
  }
  if (pending.length > 0) yield `${pending.join('\n')}\n`;
}
