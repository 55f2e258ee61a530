import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const FILES = ['libvk_swiftshader.so', 'libvulkan.so.1', 'vk_swiftshader_icd.json'] as const;
const TAR_BLOCK = 512;
const RTLD_NODELETE = 0x1000;

/** Where the software adapter's archive lies, or null when the optional npm package is not there. */
function findArchive(): string | null {
  for (const from of [import.meta.url, pathToFileURL(join(process.cwd(), 'x.js')).href]) {
    try {
      const entry = createRequire(from).resolve('@sparticuz/chromium');
      const archive = join(entry.replace(/[\\/]build[\\/].*$/, ''), 'bin', 'swiftshader.tar.br');
      if (existsSync(archive)) return archive;
    } catch {
      // not installed there
    }
  }
  return null;
}

function cacheDirectory(archive: string): string {
  const home = process.env.XDG_CACHE_HOME;
  const version = /@sparticuz\+chromium@([^_/\\]+)/.exec(archive)?.[1] ?? 'unversioned';
  const user = typeof process.getuid === 'function' ? process.getuid() : 0;
  return home
    ? join(home, 'corpuscle', `swiftshader-${version}`)
    : join(os.tmpdir(), `corpuscle-swiftshader-${version}-${user}`);
}

/** Writes the wanted members of a tar archive; each appears whole or not at all, also with several processes. */
function extract(tar: Buffer, directory: string): void {
  let offset = 0;
  while (offset + TAR_BLOCK <= tar.length) {
    const name = tar.toString('latin1', offset, offset + 100).replace(/\0.*$/s, '');
    if (!name) return;
    const size = Number.parseInt(tar.toString('latin1', offset + 124, offset + 136), 8);
    const wanted = FILES.find((file) => name === file || name === `./${file}`);
    if (wanted) {
      const temporary = join(directory, `${wanted}.${process.pid}`);
      const content = tar.subarray(offset + TAR_BLOCK, offset + TAR_BLOCK + size);
      writeFileSync(temporary, content, { mode: 0o755 });
      renameSync(temporary, join(directory, wanted));
    }
    offset += TAR_BLOCK + Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
  }
}

/**
 * Unpacks SwiftShader (a Vulkan device in software) from the optional package `@sparticuz/chromium` to a cache.
 *
 * @returns the directory, or why there is none.
 */
export function unpackSwiftShader(): { directory: string } | { reason: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      reason: `the software adapter exists for x64 Linux only, not ${process.platform}-${process.arch}`,
    };
  }
  const archive = findArchive();
  if (!archive)
    return { reason: 'the package @sparticuz/chromium, which has a software adapter, is missing' };
  const directory = cacheDirectory(archive);
  if (!FILES.every((file) => existsSync(join(directory, file)))) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    extract(brotliDecompressSync(readFileSync(archive)), directory);
  }
  return { directory };
}

/**
 * Loads a shared library into this process for good, without it being a Node addon.
 * @returns whether it could be opened.
 */
export function loadSharedLibrary(file: string): boolean {
  const { RTLD_NOW, RTLD_GLOBAL } = os.constants.dlopen;
  try {
    process.dlopen({ exports: {} }, file, RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
    return true;
  } catch (error) {
    // Node complains that the library is no addon; it stays loaded all the same.
    return /self-register/.test(String(error));
  }
}

/** Makes an unpacked SwiftShader this process's Vulkan; Dawn then finds the loader by its SONAME. */
export function useSwiftShader(directory: string): boolean {
  process.env.VK_DRIVER_FILES = join(directory, 'vk_swiftshader_icd.json');
  return loadSharedLibrary(join(directory, 'libvulkan.so.1'));
}
