import { describe, expect, it } from 'vitest';
import { assembleWat } from '../../../../../test/support/assembleWat.js';
import { assembleModule, type ModuleSpec } from '../../../src/lower/wasm/assembleModule.js';
import { FunctionBuilder } from '../../../src/lower/wasm/FunctionBuilder.js';
import { localNames } from '../../../src/lower/wasm/localNames.js';
import { call, f32, f64, f64x2, i32, i32x4, i64, v128 } from '../../../src/lower/wasm/ops.js';
import { printModule } from '../../../src/lower/wasm/printModule.js';

/** One of everything that is written in a way of its own. */
function everything(): ModuleSpec {
  const helper = new FunctionBuilder('twice', ['f64'], ['f64']);
  helper.emit(f64.add(helper.param(0), helper.param(0)));
  helper.data.set(64, Uint8Array.of(1, 2, 34, 92, 255));
  const f = new FunctionBuilder('run', ['i32', 'i32']);
  f.uses.set('twice', helper);
  f.called(0, 'from');
  f.comment('numbers');
  const x = f.called(f.variable(f64.const(0.1)), 'x');
  const same = f.called(f.variable(f64.const(-0)), 'x');
  f.set(same, call('twice', call('math.exp', f.get(x))));
  f.set(same, f64.const(Number.NEGATIVE_INFINITY));
  f.set(same, f64.const(1e-300));
  const single = f.variable(f32.const(1 / 3));
  f.set(single, f32.demote_f64(f.get(x)));
  const wide = f.variable(i64.const(-5n));
  f.set(wide, i64.const(2n ** 62n));
  const v = f.variable(f64x2.splat(f.get(x)));
  f.set(v, f.constant(i32x4.const(1, -2, 3, 4)));
  f.set(v, f64x2.replace(1, f.get(v), f64x2.extract(0, f.get(v))));
  f.set(v, ['f64x2.relaxed_madd', f.get(v), f.get(v), f.get(v)]);
  f.comment('memory');
  f.set(v, v128.load64Lane(1, f.param(0), v128.load64_zero(f.param(0), 8), 16));
  f.emit(v128.store(f.param(0), v128.load(f.param(0)), 32));
  f.emit(['i32.atomic.store', 4, f.param(0), ['i32.atomic.load', 0, f.param(0)]]);
  f.range(i32.const(0), f.param(1), (k) => {
    f.if(
      i32.eqz(k),
      () => f.emit(f64.store(f.param(0), f.get(x))),
      () => f.comment('nothing'),
    );
    f.block((exit) => {
      f.brIf(exit, i32.lt_s(k, i32.const(3)));
      f.return();
    });
  });
  return { functions: [f], exports: ['run'] };
}

describe('the text form of a module', () => {
  it('assembles to the bytes of the module', async () => {
    const spec = everything();
    const bytes = await assembleWat(printModule(spec, 'one of everything'));
    expect([...bytes]).toEqual([...assembleModule(spec)]);
  });

  it('has the names and comments of its builder', () => {
    const text = printModule(everything(), 'one of everything\n\nin two lines');
    expect(text).toMatch(/^;; one of everything\n;;\n;; in two lines\n\(module\n/);
    expect(text).toContain('(func $run (export "run") (param $from i32) (param $i1 i32)');
    expect(text).toContain('(local $x f64) (local $x#2 f64)');
    expect(text).toContain('    ;; numbers\n    (local.set $x (f64.const 0.1))\n');
    expect(text).toContain('(call $twice (call $math.exp (local.get $x)))');
  });

  it('comments leave no trace in the bytes', () => {
    const make = (comment: boolean) => {
      const f = new FunctionBuilder('run', ['i32']);
      if (comment) f.comment('one');
      f.emit(i32.store(f.param(0), i32.const(1)));
      return assembleModule({ functions: [f] });
    };
    expect(make(true)).toEqual(make(false));
  });
});

it('names locals by what they are set to, once', () => {
  const f = new FunctionBuilder('run', ['i32', 'i32']);
  f.called(0, 'rows');
  f.called(1, 'k');
  const address = f.keep(i32.add(f.param(0), i32.shl(f.param(1), i32.const(5))));
  const value = f.keep(f64.load(address, 16));
  f.keep(f64x2.splat(value));
  f.keep(f64x2.splat(value));
  const twice = f.variable(f64.load(address, 8));
  f.set(twice, f64.const(1));
  const loop = f.local('i32');
  f.set(loop, f.get(loop));
  const names = localNames(f);
  const locals = Array.from(f.locals, (_, n) => names(2 + n));
  expect(locals).toEqual([
    '$rows:k',
    '$rows:k@16',
    '$rows:k@16.lanes',
    '$rows:k@16.lanes#2',
    '$d6',
    '$i7',
  ]);
});
