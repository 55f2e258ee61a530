import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Value } from '../Draft.js';
import { indentInside } from './indentInside.js';

/** A value of an input, with its place. */
export interface Msp {
  readonly line: number;
  readonly file: string;
  readonly scalar?: string | number | boolean;
  readonly items?: readonly Msp[];
  readonly entries?: ReadonlyMap<string, Msp>;
  /** Keys that the map has twice. */
  readonly doubled?: readonly string[];
}

/** What an input may have at most: inputs may come from anywhere. */
const MOST = { bytes: 4 * 2 ** 20, depth: 60, nodes: 200_000, includes: 64, nested: 12 } as const;

function mspMistake(file: string, line: number, message: string): CorpuscleError {
  return new CorpuscleError('SYNTAX', message, { location: { file, line, column: 1 } });
}

/** Reads one file, without what it includes. @throws CorpuscleError FILE_NOT_FOUND, SYNTAX */
function readDocument(file: string): Msp {
  if (!existsSync(file) || !statSync(file).isFile())
    throw new CorpuscleError('FILE_NOT_FOUND', `there is no file '${file}': check its name`);
  if (statSync(file).size > MOST.bytes)
    throw mspMistake(file, 1, `the file has more than ${MOST.bytes} bytes: it is no input`);
  const text = readFileSync(file, 'utf8');
  const strict = parse(text);
  // exaNBody's parser takes what is inside quotes and brackets at any indent.
  const { document, lines } =
    strict.document.errors.length > 0 ? parse(indentInside(text)) : strict;
  const [error] = document.errors;
  if (error) {
    const [sentence = ''] = error.message.split(/ at line|\n/);
    throw mspMistake(file, lines.linePos(error.pos[0]).line, `this is no YAML: ${sentence}`);
  }
  return nodesOf(document, file, lines);
}

function parse(text: string) {
  const lines = new LineCounter();
  const options = {
    uniqueKeys: false,
    merge: false,
    logLevel: 'silent',
    lineCounter: lines,
  } as const;
  return { document: parseDocument(text, options), lines };
}

function nodesOf(document: Document, file: string, lines: LineCounter): Msp {
  let count = 0;
  const convert = (node: unknown, line: number, depth: number): Msp => {
    const at = (node as { range?: [number] } | null)?.range?.[0];
    const place = { file, line: at === undefined ? line : lines.linePos(at).line };
    if (++count > MOST.nodes || depth > MOST.depth)
      throw mspMistake(file, place.line, 'the input is too deep, or its aliases make it too large');
    if (isAlias(node)) return convert(node.resolve(document), place.line, depth + 1);
    if (isSeq(node))
      return { ...place, items: node.items.map((item) => convert(item, place.line, depth + 1)) };
    if (isMap(node)) {
      const entries = new Map<string, Msp>();
      const doubled: string[] = [];
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '?';
        if (entries.has(name)) doubled.push(name);
        else entries.set(name, convert(value, place.line, depth + 1));
      }
      return { ...place, entries, ...(doubled.length > 0 && { doubled }) };
    }
    const value = isScalar(node) ? node.value : null;
    if (value === null || value === undefined) return { ...place, scalar: '' };
    return {
      ...place,
      scalar: typeof value === 'string' || typeof value === 'boolean' ? value : Number(value),
    };
  };
  return convert(document.contents, 1, 0);
}

/** An input with all that it includes, and what is not there. */
export interface MspInput {
  readonly root: ReadonlyMap<string, Msp>;
  /** Sentences on files that are not there, and keys that are there twice. */
  readonly notes: readonly string[];
}

/**
 * An input as exaNBody merges it: included files first, maps key by key, other values replaced; `+name` adds to a list.
 * Files are included from beside the one that names them.
 */
export function readMsp(file: string): MspInput {
  const notes: string[] = [];
  let files = 0;
  const read = (name: string, depth: number): ReadonlyMap<string, Msp> => {
    if (++files > MOST.includes || depth > MOST.nested)
      throw mspMistake(name, 1, 'the input includes too many files, or itself');
    const own = readDocument(name);
    if (!own.entries) throw mspMistake(name, 1, 'an input is a map of sections');
    noteDoubled(own, notes);
    let merged: ReadonlyMap<string, Msp> = new Map();
    for (const { scalar, line } of own.entries.get('includes')?.items ?? []) {
      const folder = path.dirname(name);
      const other = path.join(folder, String(scalar));
      const isBeside =
        !path.relative(folder, other).startsWith('..') && !path.isAbsolute(String(scalar));
      if (isBeside && existsSync(other)) merged = mergeMaps(merged, read(other, depth + 1));
      else
        notes.push(
          `line ${line}, not converted: includes ${String(scalar)} (the file is not beside the input)`,
        );
    }
    const rest = new Map([...own.entries].filter(([key]) => key !== 'includes'));
    return mergeMaps(merged, rest);
  };
  return { root: read(file, 0), notes };
}

function noteDoubled(node: Msp, notes: string[]): void {
  for (const key of node.doubled ?? [])
    notes.push(
      `line ${node.line}, not converted: ${key} (the key is there twice; the first counts)`,
    );
  for (const inner of [...(node.items ?? []), ...(node.entries?.values() ?? [])])
    noteDoubled(inner, notes);
}

type Entries = ReadonlyMap<string, Msp>;

function mergeMaps(before: Entries, after: Entries): Entries {
  const merged = new Map(before);
  for (const [key, value] of after) {
    if (key.startsWith('+')) {
      const name = key.slice(1);
      const old = merged.get(name);
      merged.set(name, { ...value, items: [...(old?.items ?? []), ...(value.items ?? [value])] });
    } else {
      const old = merged.get(key);
      const both = old?.entries && value.entries;
      merged.set(
        key,
        both ? { ...value, entries: mergeMaps(old.entries!, value.entries!) } : value,
      );
    }
  }
  return merged;
}

/** A node as a value of ours, as it is written. */
export function plain({ scalar, items, entries }: Msp): Value {
  if (items) return items.map(plain);
  if (entries) return Object.fromEntries([...entries].map(([key, value]) => [key, plain(value)]));
  return scalar!;
}
