import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CorpuscleError, type PluginName, pluginsOf } from '@corpuscle/core';
import { displayPath } from '../output/formatError.js';
import type { Streams } from '../Streams.js';
import type { OperatorModule } from './loadOperators.js';
import { packageEntry } from './packageEntry.js';

/** A plugin that has been found, and not loaded. */
interface Plugin extends PluginName, Omit<OperatorModule, 'location'> {
  /** Of its file, so that other code under the same name is asked for again. */
  readonly hash: string;
}

/**
 * The plugins that files name, each allowed: by `--yes`, by an answer at the terminal, or by an earlier one, as long as its file is
 * the same.
 * @throws CorpuscleError FILE_NOT_FOUND for a plugin that is not there, INVALID_VALUE for one that is not allowed
 */
export async function allowedPlugins(
  files: readonly string[],
  { set, yes }: { readonly set: readonly string[]; readonly yes: boolean },
  streams: Streams,
): Promise<readonly OperatorModule[]> {
  const plugins = pluginsOf(files, set).map(found);
  const known = readAllowed();
  const isAllowed = ({ file, hash }: Plugin) => known[file] === hash;
  for (const plugin of plugins) {
    if (!yes && !isAllowed(plugin) && !(await asked(plugin, streams)))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the plugin '${plugin.name}' would run code with your rights: read ${displayPath(plugin.file)}, and allow it with --yes`,
        { location: plugin.location },
      );
  }
  const added = plugins.filter((plugin) => !isAllowed(plugin));
  if (added.length > 0)
    writeAllowed({
      ...known,
      ...Object.fromEntries(added.map(({ file, hash }) => [file, hash])),
    });
  return plugins;
}

function found(plugin: PluginName): Plugin {
  const { name, directory, location } = plugin;
  const isPath = /^\.{1,2}$|^\.{0,2}[\\/]|^[A-Za-z]:[\\/]/.test(name);
  const file = isPath ? path.resolve(directory, name) : packageEntry(name, directory);
  const status = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false });
  if (file === undefined || !status?.isFile()) {
    const remedy = isPath ? 'there is no such file' : `install it (npm install ${name})`;
    const why = status ? 'is no file: name a file in it' : `is not there: ${remedy}`;
    throw new CorpuscleError('FILE_NOT_FOUND', `the plugin '${name}' ${why}`, { location });
  }
  const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { ...plugin, title: `plugin ${name}`, file, hash };
}

async function asked({ name, file }: Plugin, { terminal, ask }: Streams): Promise<boolean> {
  if (!terminal || !ask) return false;
  const question = `The plugin '${name}' (${displayPath(file)}) will run code with your rights. Allow it? [y/N] `;
  return /^y(es)?$/i.test((await ask(question)).trim());
}

/** Where answers are kept: hashes of files by their paths. */
function allowedFile(): string {
  const { XDG_CONFIG_HOME, APPDATA } = process.env;
  const folder = XDG_CONFIG_HOME || APPDATA || path.join(homedir(), '.config');
  return path.join(folder, 'corpuscle', 'plugins.json');
}

function readAllowed(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(allowedFile(), 'utf8')) as Record<string, string>;
  } catch {
    return {}; // none yet, or damaged: they are asked for again
  }
}

/** Where nothing can be kept, the next run asks again. */
function writeAllowed(allowed: Readonly<Record<string, string>>): void {
  const file = allowedFile();
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(allowed, null, 1)}\n`, { mode: 0o600 });
  } catch {}
}
