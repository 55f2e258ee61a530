import { main, type Streams } from '@corpuscle/cli';

/**
 * Makes a folder with a new simulation, as `npm create corpuscle my-folder [template]` does: it is `corpuscle init` there.
 *
 * @param argv the folder, by default `corpuscle-run`, then what `corpuscle init` takes.
 * @returns the exit code.
 * @example
 * await create(['melting', 'argon'], processStreams());
 */
export function create(argv: readonly string[], streams: Streams): Promise<number> {
  const [first = '', ...rest] = argv;
  const isFolder = first !== '' && !first.startsWith('-');
  const others = isFolder ? rest : argv;
  return main(['init', ...others, '--directory', isFolder ? first : 'corpuscle-run'], streams);
}
