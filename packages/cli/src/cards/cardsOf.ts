import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A card of this machine. */
export interface Card {
  readonly number: number;
  /** What the system calls it; null where that cannot be read. */
  readonly model: string | null;
  /** The device node by which drivers reach it. */
  readonly node: string;
}

/**
 * The cards of NVIDIA that this process sees, by number. Others cannot be told apart yet, and are left out.
 * @param devices where device nodes are
 * @param driver where the driver tells of its cards
 */
export function cardsOf(devices = '/dev', driver = '/proc/driver/nvidia/gpus'): readonly Card[] {
  if (!existsSync(devices)) return [];
  const models = modelsOf(driver);
  return readdirSync(devices)
    .flatMap((name) => {
      const [, digits] = /^nvidia(\d+)$/.exec(name) ?? [];
      return digits === undefined ? [] : [{ number: Number(digits), node: join(devices, name) }];
    })
    .map((card) => ({ ...card, model: models.get(card.number) ?? null }))
    .sort((a, b) => a.number - b.number);
}

/** Models by the numbers of device nodes. */
function modelsOf(driver: string): ReadonlyMap<number, string> {
  const models = new Map<number, string>();
  if (!existsSync(driver)) return models;
  for (const bus of readdirSync(driver)) {
    const file = join(driver, bus, 'information');
    if (!existsSync(file)) continue;
    const text = readFileSync(file, 'utf8');
    const [, model] = /^Model:\s*(.+)$/m.exec(text) ?? [];
    const [, minor] = /^Device Minor:\s*(\d+)$/m.exec(text) ?? [];
    if (model && minor) models.set(Number(minor), model.trim());
  }
  return models;
}
