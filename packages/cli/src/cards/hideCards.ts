import { spawnSync } from 'node:child_process';
import { CorpuscleError } from '@corpuscle/core';

/**
 * A command line that starts another one in which some files are empty: in a mount namespace of its own, for which a user without the
 * rights of root needs a user namespace. There the user is root. A second namespace inside gives the own name back, which MPI needs.
 *
 * @returns null where the system allows neither
 * @example
 * const hidden = hideFiles(['/dev/nvidia1']);
 * hidden?.(['node', 'program.js']); // ['unshare', '-m', …]
 */
export function hideFiles(
  files: readonly string[],
): ((command: readonly string[]) => readonly string[]) | null {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const mounts = files.map((file) => `mount --bind /dev/null '${file}' && `).join('');
  const within = (options: readonly string[], then: string) => (command: readonly string[]) => [
    ...['unshare', ...options, 'sh', '-c', `${mounts}exec ${then}"$@"`, 'sh'],
    ...command,
  ];
  const asBefore = `unshare -U --map-user=${uid} --map-group=${gid} `;
  const ways = [
    ...(uid === 0 ? [within(['-m'], '')] : []),
    within(['-rm'], uid === 0 ? '' : asBefore),
  ];
  return ways.find((way) => works(way(['true']))) ?? null;
}

const works = ([program, ...argv]: readonly string[]): boolean =>
  spawnSync(program!, argv, { stdio: 'ignore' }).status === 0;

/** The error where cards cannot be hidden. */
export const cannotHide = (): CorpuscleError =>
  new CorpuscleError(
    'NO_ADAPTER',
    'there are several cards, and a rank can only take one of its own if it hides the others, which this system does not allow (unshare -m as root, or user namespaces): allow one of these, or let a launcher or container give each rank one card',
  );
