import { yaml } from '@codemirror/lang-yaml';
import type { JsonSchema } from '@corpuscle/core';
import { button, byId } from '../page/elements.js';
import type { Link } from '../page/Link.js';
import type { Mistake, Texts } from '../session/messages.js';
import { assistance } from './assistance.js';
import { Sliders } from './Sliders.js';
import { TextView } from './TextView.js';

/** Milliseconds without a key after which the text is checked. */
const PAUSE = 250;
/** Milliseconds between two times that a slider acts. */
const ACT = 150;

const titles = { simulation: 'Simulation', potential: 'Potential' } as const;

/** The texts of a simulation, one of which is seen. Mistakes are shown at their places, and below as a list. */
export class Editor {
  readonly #link: Link;
  readonly #views: Readonly<Record<keyof Texts, TextView>>;
  readonly #sliders: Sliders;
  #schema: JsonSchema | null = null;
  #check = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #acting: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link, texts: Texts) {
    this.#link = link;
    this.#views = {
      simulation: new TextView({
        parent: byId('simulation'),
        label: 'Simulation in YAML',
        text: texts.simulation,
        extensions: [yaml(), assistance(() => this.#schema)],
        onChange: (changes) => {
          this.#sliders.follow(changes);
          if (changes) this.#checkSoon();
        },
      }),
      potential: new TextView({
        parent: byId('potential'),
        label: 'Pair potentials in JavaScript',
        text: texts.potential,
        extensions: [],
        onChange: (changes) => changes && this.#checkSoon(),
      }),
    };
    const act = () => {
      this.#acting = undefined;
      link.ask({ kind: 'retune', texts: this.texts });
    };
    this.#sliders = new Sliders(this.#views.simulation.view, byId('sliders'), () => {
      this.#acting ??= setTimeout(act, ACT);
    });
    for (const name of ['simulation', 'potential'] as const)
      byId('tabs').append(button(titles[name], `Show the ${name}`, () => this.#see(name)));
    this.#see('simulation');
    link.on('ready', ({ schema }) => {
      this.#schema = schema;
    });
    link.on('checked', ({ id, mistakes }) => {
      if (id === this.#check) this.#show(mistakes);
    });
    link.on('phase', ({ mistakes }) => {
      if (mistakes) this.#show(mistakes);
    });
    this.#checkSoon();
  }

  get texts(): Texts {
    const { simulation, potential } = this.#views;
    return { simulation: simulation.text, potential: potential.text };
  }

  set texts({ simulation, potential }: Texts) {
    this.#views.simulation.text = simulation;
    this.#views.potential.text = potential;
    this.#see('simulation');
  }

  /** Takes other texts, and shows the particles with which they begin. */
  open(texts: Texts): void {
    this.texts = texts;
    this.#link.ask({ kind: 'preview', texts });
  }

  #see(name: keyof Texts): void {
    for (const other of ['simulation', 'potential'] as const) byId(other).hidden = other !== name;
    for (const tab of byId('tabs').children)
      tab.setAttribute('aria-pressed', String(tab.textContent === titles[name]));
  }

  /** Marks mistakes in the texts, and lists them. */
  #show(mistakes: readonly Mistake[]): void {
    for (const name of ['simulation', 'potential'] as const)
      this.#views[name].mark(mistakes.filter(({ text }) => text === name));
    const entries = mistakes.map((mistake) => {
      const where = mistake.text === 'potential' ? 'potential, line' : 'line';
      const place = mistake.line > 0 ? `${where} ${mistake.line}: ` : '';
      const item = document.createElement('li');
      item.append(
        button(`${place}${mistake.message}`, 'Go there', () => {
          this.#see(mistake.text);
          this.#views[mistake.text].goTo(mistake);
        }),
      );
      return item;
    });
    byId('mistakes').replaceChildren(...entries);
  }

  #checkSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#link.ask({ kind: 'check', texts: this.texts, id: ++this.#check });
    }, PAUSE);
  }
}
