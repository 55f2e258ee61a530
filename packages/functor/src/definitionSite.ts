import type { SourceLocation } from './error/CorpuscleError.js';

const frame = /\(?((?:file:\/\/|[A-Za-z]:[\\/]|https?:\/\/|\/)?[^()]*?):(\d+):(\d+)\)?$/;

/** Where `maker` was called from, as far as the engine can tell; source maps are honored when the runtime applies them. */
export function definitionSite(maker: (...args: never[]) => unknown): SourceLocation {
  const holder: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 1;
  Error.captureStackTrace(holder, maker);
  const stack = holder.stack ?? '';
  Error.stackTraceLimit = limit;
  const line =
    stack
      .split('\n')[1]
      ?.trim()
      .replace(/^at (?:async )?/, '') ?? '';
  const match = frame.exec(line.slice(line.lastIndexOf(' (') + 1));
  if (!match) return { file: 'unknown file', line: 1, column: 1 };
  return { file: decode(match[1]!), line: Number(match[2]), column: Number(match[3]) };
}

function decode(file: string): string {
  if (!file.startsWith('file://')) return file;
  try {
    return decodeURIComponent(new URL(file).pathname);
  } catch {
    return file;
  }
}
