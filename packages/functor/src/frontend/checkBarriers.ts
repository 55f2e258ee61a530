import { type DraftExpr, type DraftStmt, type Local, operands } from './Draft.js';
import type { SourceText } from './SourceText.js';

/**
 * All lanes of a block must come to a barrier together. Values are uniform when all lanes have the same: parameters,
 * constants, `b.index`, `x`, `y`, `z` and `size`, arrays in `read`, and what is computed from these where control flow is
 * uniform. `b.lane`, arrays that are written and shared memory are not.
 *
 * @throws CorpuscleError FUNCTOR_UNSUPPORTED at a barrier that some lanes may miss.
 */
export function checkBarriers(body: readonly DraftStmt[], source: SourceText): void {
  if (!hasBarrier(body)) return;
  const walk = new Walk(source);
  do {
    walk.changed = false;
    walk.departed = false;
    walk.list(body, false);
  } while (walk.changed);
  walk.complaining = true;
  walk.departed = false;
  walk.list(body, false);
}

const hasBarrier = (body: readonly DraftStmt[]): boolean =>
  body.some((s) => s.kind === 'barrier' || inner(s).some(hasBarrier));

function inner(s: DraftStmt): readonly (readonly DraftStmt[])[] {
  if (s.kind === 'if') return [s.then, s.else];
  return s.kind === 'loop' ? [s.body, s.update] : [];
}

class Walk {
  readonly #varying = new Set<Local>();
  changed = false;
  /** Some lanes have returned. */
  departed = false;
  complaining = false;

  constructor(readonly source: SourceText) {}

  list(body: readonly DraftStmt[], apart: boolean): void {
    for (const s of body) this.#statement(s, apart || this.departed);
  }

  #statement(s: DraftStmt, apart: boolean): void {
    switch (s.kind) {
      case 'declare':
        this.#assign(s.local, s.value !== null && this.#varies(s.value));
        return;
      case 'declareArray':
        this.#assign(
          s.local,
          s.elements.some((e) => this.#varies(e)),
        );
        return;
      case 'assign':
        this.#assign(s.local, apart || this.#varies(s.value));
        return;
      case 'assignElement':
        this.#assign(s.local, apart || this.#varies(s.value) || this.#varies(s.index));
        return;
      case 'callMany':
        for (const target of s.targets)
          this.#assign(
            target,
            s.args.some((e) => this.#varies(e)),
          );
        return;
      case 'if': {
        const parted = apart || this.#varies(s.condition);
        this.list(s.then, parted);
        this.list(s.else, parted);
        return;
      }
      case 'loop': {
        const parted = apart || this.#varies(s.condition) || this.#lanesLeave(s.body, false);
        this.list(s.body, parted);
        this.list(s.update, parted);
        return;
      }
      case 'return':
        if (apart) this.departed = true;
        return;
      case 'barrier':
        if (!apart || !this.complaining) return;
        this.source.fail(
          'FUNCTOR_UNSUPPORTED',
          s.node,
          'some lanes may miss this barrier, and the others would wait for them for ever',
          'put it where all lanes come by: under conditions of parameters and of b.index, x, y, z and size only, and after no early return of some lanes',
        );
        return;
      default:
        return;
    }
  }

  #assign(local: Local, varies: boolean): void {
    if (!varies || this.#varying.has(local)) return;
    this.#varying.add(local);
    this.changed = true;
  }

  /** Do some lanes leave a loop, or a turn of it, before others? */
  #lanesLeave(body: readonly DraftStmt[], apart: boolean): boolean {
    return body.some((s) => {
      if (s.kind === 'break' || s.kind === 'continue') return apart;
      if (s.kind !== 'if') return false; // inner loops keep their jumps
      const parted = apart || this.#varies(s.condition);
      return this.#lanesLeave(s.then, parted) || this.#lanesLeave(s.else, parted);
    });
  }

  #varies(e: DraftExpr): boolean {
    if (e.kind === 'field')
      return (e.role === 'b' && e.field === 'lane') || ['acc', 'n', 'i'].includes(e.role);
    if (e.kind === 'item' && e.info.writable) return true;
    if ((e.kind === 'local' || e.kind === 'element') && this.#varying.has(e.local)) return true;
    return operands(e).some((operand) => this.#varies(operand));
  }
}
