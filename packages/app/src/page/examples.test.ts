import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { pageRegistry } from '../session/pageRegistry.js';
import { examples } from './examples.js';

it('has the examples and the gallery of the manual', () => {
  expect(Object.keys(examples).length).toBeGreaterThan(20);
  expect(Object.keys(examples)).toEqual(
    expect.arrayContaining(['Lennard-Jones melt', 'Droplet', 'Structure factor', 'Vapor']),
  );
});

it.each(Object.entries(examples))('checks %s without a mistake', (_, { simulation, potential }) => {
  const operators = pageRegistry(() => undefined, potential);
  expect(loadSimulation([{ name: 'text', text: simulation }], { operators }).warnings).toEqual([]);
});
