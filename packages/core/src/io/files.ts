import { CorpuscleError } from '@corpuscle/functor/error';
import {
  existsSync,
  path,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from '#core/platform';
import { utf8 } from './bytes.js';
import { makeFolders } from './folders.js';

/**
 * The files that simulations read and write. In Node they are those of the system. In a page they are in memory, below `/`,
 * for as long as the page lives: {@link saveFile} and {@link saveFolder} bring them to the user's disk.
 *
 * @example
 * files.write('start.xyz', text);
 * const table = new TextDecoder().decode(files.read('thermo.csv'));
 */
export const files = {
  /** The bytes of a file. @throws CorpuscleError FILE_NOT_FOUND */
  read(name: string): Uint8Array<ArrayBuffer> {
    if (!files.has(name))
      throw new CorpuscleError('FILE_NOT_FOUND', `there is no file ${name}: check its name`);
    return Uint8Array.from(readFileSync(name));
  },

  /** Makes or replaces a file, and the folders it is in. */
  write(name: string, content: string | Uint8Array): void {
    makeFolders(path.resolve(name));
    writeFileSync(name, typeof content === 'string' ? utf8(content) : content);
  },

  /** Whether there is a file of that name. */
  has: (name: string): boolean => existsSync(name) && statSync(name)!.isFile(),

  /** The names of the files in a folder and the folders in it, sorted; default: the working directory. */
  list(folder = '.'): string[] {
    return readdirSync(folder)
      .map((entry) => (folder === '.' ? entry : path.join(folder, entry)))
      .flatMap((name) => (statSync(name)!.isDirectory() ? files.list(name) : [name]))
      .sort();
  },

  /** Removes a file; one that is not there is no error. */
  remove(name: string): void {
    rmSync(name, { force: true });
  },
};

/**
 * Offers a file to the user as a download of the page.
 * @throws CorpuscleError FILE_NOT_FOUND; BACKEND_UNAVAILABLE outside of a page's document
 */
export function saveFile(name: string): void {
  const blob = new Blob([files.read(name)]);
  if (!('document' in globalThis))
    throw new CorpuscleError(
      'BACKEND_UNAVAILABLE',
      `${name} cannot be downloaded here: only a page with a document has downloads`,
    );
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = path.basename(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What is used of a `FileSystemDirectoryHandle`, which `showDirectoryPicker` and `navigator.storage.getDirectory` give. */
export interface FolderHandle {
  /** What is in the folder. */
  values(): AsyncIterable<
    | ({ readonly kind: 'directory'; readonly name: string } & FolderHandle)
    | { readonly kind: 'file'; readonly name: string; getFile(): Promise<Blob> }
  >;
  /** A folder in it, made where it is missing. */
  getDirectoryHandle(name: string, options: { create: boolean }): Promise<FolderHandle>;
  /** A file in it, made where it is missing. */
  getFileHandle(
    name: string,
    options: { create: boolean },
  ): Promise<{
    createWritable(): Promise<{
      write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
      close(): Promise<void>;
    }>;
  }>;
}

/**
 * Copies a folder of the user's disk, chosen with the File System Access API, to the files of the page.
 * @param into where they go; default: the working directory
 * @returns the names of the files
 */
export async function loadFolder(folder: FolderHandle, into = '.'): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of folder.values()) {
    const name = path.join(into, entry.name);
    if (entry.kind === 'directory') names.push(...(await loadFolder(entry, name)));
    else {
      files.write(name, new Uint8Array(await (await entry.getFile()).arrayBuffer()));
      names.push(name);
    }
  }
  return names;
}

/**
 * Copies files of the page into a folder of the user's disk, chosen with the File System Access API.
 * @param from which folder of the page; default: the working directory
 */
export async function saveFolder(folder: FolderHandle, from = '.'): Promise<void> {
  for (const name of files.list(from)) {
    const parts = path.relative(from, name).split('/');
    let target = folder;
    for (const part of parts.slice(0, -1))
      target = await target.getDirectoryHandle(part, { create: true });
    const handle = await target.getFileHandle(parts.at(-1)!, { create: true });
    const writable = await handle.createWritable();
    await writable.write(files.read(name));
    await writable.close();
  }
}
