import { describe, expect, it } from 'vitest';
import type { Functor } from '../../src/Functor.js';
import { lowerToJavaScript } from '../../src/lower/javascript/lowerToJavaScript.js';
import { lowerToWgsl } from '../../src/lower/wgsl/lowerToWgsl.js';
import { storageItem, storageWrite } from '../../src/lower/wgsl/storageAccess.js';
import { printIR } from '../../src/passes/printIR.js';
import {
  addValue,
  everything,
  extremes,
  kick,
  lennardJones,
} from '../fixtures/bundlers/functors.js';

const functors: readonly Functor[] = [lennardJones, everything, kick, extremes, addValue];
const named = functors.map((functor) => [functor.name, functor] as const);

describe('snapshots', () => {
  it.each(named)('representation of %s', (_, functor) => {
    expect(`\n${printIR(functor.ir!)}\n`).toMatchSnapshot();
  });

  it.each(named)('WGSL of %s', (_, functor) => {
    const { structs, functions } = lowerToWgsl(functor.ir!, {
      env: {
        param: (field) => `params.${field}_`,
        item: (_role, field, index) => storageItem(field, index),
        writeItem: (_role, field, index, op, value) => storageWrite(field, index, op, value),
      },
    });
    expect(`\n${structs}\n${functions}`).toMatchSnapshot();
  });

  it.each(named.filter(([name]) => name === 'kick' || name === 'lennard_jones'))(
    'WGSL of %s in double-single',
    (_, functor) => {
      const env = {
        param: (field: string) => `params.${field}_`,
        item: (_role: string, field: string, index: string) => `${field}[${index}]`,
        writeItem: () => '',
      };
      const { structs, functions } = lowerToWgsl(functor.ir!, { real: 'f64', env });
      expect(`\n${structs}\n${functions}`).toMatchSnapshot();
    },
  );

  it.each(named)('JavaScript of %s', (_, functor) => {
    const { prologue, body } = lowerToJavaScript(functor.ir!, {
      read: (role, field) => `${role}_${field}`,
      item: (role, field, index) => `${role}_${field}[${index}]`,
      write: (role, field, op, value) => `${role}_${field} ${op} ${value};`,
      writeItem: (role, field, index, op, value) => `${role}_${field}[${index}] ${op} ${value};`,
    });
    expect(`\n${prologue}\n${body}`).toMatchSnapshot();
  });
});
