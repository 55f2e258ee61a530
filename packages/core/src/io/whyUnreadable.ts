const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

/** Why a file cannot be opened for reading, as a clause: by the error of the system, or its code. */
export function whyUnreadable(cause: unknown): string {
  const code = typeof cause === 'string' ? cause : ((cause as NodeJS.ErrnoException).code ?? '');
  return REASONS[code] ?? `it cannot be opened (${code})`;
}
