import { CorpuscleError } from '@corpuscle/core';
import { holds } from './formula.js';
import { type Command, includedFile, readCommands, wordsOf } from './readCommands.js';
import type { Script } from './Script.js';
import { Unmapped } from './Unmapped.js';

/** Scripts inside scripts, and choices inside choices. */
const DEEPEST = 10;
/** Commands with those of loops, each time that they are taken. */
const MOST_COMMANDS = 50_000;

type Jump = { readonly file: string; readonly label: string | undefined };

/** Commands that say which one is next: loops and choices are followed where all that they ask for is known before a run. */
const flow: Readonly<
  Record<string, (reader: ScriptReader, args: readonly string[], depth: number) => void>
> = {
  include: (reader, [name = ''], depth) => {
    if (depth >= DEEPEST)
      throw reader.script.mistake(`more than ${DEEPEST} scripts include each other`);
    reader.read(includedFile(name, reader.script.place), depth + 1);
  },
  label: () => {},
  jump: (reader, [file = '', label]) => reader.jump(file, label),
  next: (reader, names) => reader.next(names),
  quit: (reader) => reader.quit(),
};

/** Takes the commands of a script in the order in which LAMMPS does: `include`, `jump`, `next`, `if` and `quit` are done here. */
export class ScriptReader {
  readonly script: Script;
  readonly #take: (raw: string) => void;
  #count = 0;
  #jump: Jump | null = null;
  /** Whether `next` came to the end of its values: the jump that follows is not made. */
  #isOver = false;
  #hasEnded = false;

  /** @param take converts one command, of which variables are not put in yet */
  constructor(script: Script, take: (raw: string) => void) {
    this.script = script;
    this.#take = take;
  }

  /** @throws CorpuscleError SYNTAX, FILE_NOT_FOUND */
  read(name: string, depth = 0): void {
    let commands = readCommands(name);
    for (let k = 0; k < commands.length && !this.#hasEnded; k++) {
      const { file, line, text } = commands[k]!;
      this.script.place = { file, line };
      if (++this.#count > MOST_COMMANDS)
        throw this.script.mistake(
          `the script has more than ${MOST_COMMANDS} commands with those of its loops and those it includes: a loop may have no end`,
        );
      this.#command(text, depth);
      if (!this.#jump) continue;
      const { file: target, label } = this.#jump;
      this.#jump = null;
      if (target !== 'SELF') commands = readCommands(includedFile(target, this.script.place));
      k = label === undefined ? -1 : this.#labeled(commands, label);
    }
  }

  jump(file: string, label: string | undefined): void {
    if (file === '') throw this.script.mistake('jump needs a file, or SELF');
    if (!this.#isOver) this.#jump = { file, label };
    this.#isOver = false;
  }

  next(names: readonly string[]): void {
    if (names.length === 0) throw this.script.mistake('next needs the name of a variable');
    this.#isOver = this.script.variables.next(names, this.script.place);
  }

  quit(): void {
    this.#hasEnded = true;
  }

  #command(raw: string, depth: number): void {
    const [name = ''] = raw.trim().split(/\s+/);
    if (name === 'if') {
      this.#choose(wordsOf(raw, this.script.place).slice(1), depth);
      return;
    }
    if (!Object.hasOwn(flow, name)) {
      this.#take(raw);
      return;
    }
    const [, ...args] = wordsOf(this.#known(raw, name), this.script.place);
    flow[name]!(this, args, depth);
  }

  /** `if C then c1 c2 … elif C c3 … else c4 …`: the commands of the first condition that holds. */
  #choose(words: readonly string[], depth: number): void {
    if (words[1] !== 'then') throw this.script.mistake('if needs a condition, and then');
    if (depth >= DEEPEST) throw this.script.mistake(`more than ${DEEPEST} choices in each other`);
    let isTaken = this.#holds(words[0]!);
    for (let k = 2; k < words.length; k++) {
      const isElse = words[k] === 'else';
      if (!isElse && words[k] !== 'elif') {
        if (isTaken && !this.#hasEnded) this.#command(words[k]!, depth + 1);
        continue;
      }
      if (isTaken) return;
      isTaken = isElse || this.#holds(words[++k] ?? '');
    }
  }

  #holds(condition: string): boolean {
    const { script } = this;
    const text = this.#known(condition, 'if');
    try {
      return holds(text);
    } catch (error) {
      throw error instanceof Unmapped ? script.mistake(`if: ${error.message}`) : error;
    }
  }

  /** With the values of variables. A way that depends on the run cannot be followed before it. */
  #known(text: string, name: string): string {
    try {
      return this.script.variables.substitute(text, this.script.place);
    } catch (error) {
      if (error instanceof CorpuscleError || !(error instanceof Unmapped)) throw error;
      throw this.script.mistake(
        `'${name}' asks for what is known only while the run goes on (${error.message}): write the commands of each run out`,
      );
    }
  }

  #labeled(commands: readonly Command[], label: string): number {
    const at = commands.findIndex(({ text }) => {
      const [name, is] = text.trim().split(/\s+/);
      return name === 'label' && is === label;
    });
    if (at < 0) throw this.script.mistake(`there is no label '${label}'`);
    return at;
  }
}
