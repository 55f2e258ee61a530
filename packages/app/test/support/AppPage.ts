import { fileURLToPath } from 'node:url';
import { decode } from 'fast-png';
import { DevTools } from '../../../../test/support/DevTools.js';
import { type ServedFolder, serveFolder } from '../../../../test/support/serveFolder.js';

const built = fileURLToPath(new URL('../../dist', import.meta.url));

/** The page as a user has it before them. */
export class AppPage {
  readonly tools: DevTools;
  readonly #served: ServedFolder | null;

  private constructor(tools: DevTools, served: ServedFolder | null) {
    this.tools = tools;
    this.#served = served;
  }

  /** Opens the page that was built, at an address with this end. */
  static async open(end = '', size: readonly [number, number] = [800, 600]): Promise<AppPage> {
    const served = await serveFolder(built);
    return new AppPage(await DevTools.open(`${served.url}${end}`, size), served).#ready();
  }

  /** Opens a page that somebody serves. */
  static async at(url: string): Promise<AppPage> {
    return new AppPage(await DevTools.open(url, [800, 600]), null).#ready();
  }

  async #ready(): Promise<this> {
    await this.tools.until(`document.querySelector('#transport button')`);
    return this;
  }

  /** Writes a text into the editor, as by hand. */
  async write(text: string, place = 'simulation'): Promise<void> {
    await this.tools.evaluate(
      `document.querySelector('#${place} .cm-content').focus(), document.execCommand('selectAll')`,
    );
    await this.tools.call('Input.insertText', { text });
  }

  /** Puts the cursor into the simulation: so many letters after the beginning of a part. */
  async putCursor(part: string, letters: number): Promise<void> {
    await this.tools.evaluate(`(() => {
      const content = document.querySelector('#simulation .cm-content');
      content.focus();
      const line = [...content.children].find((one) => one.textContent.includes('${part}'));
      let rest = line.textContent.indexOf('${part}') + ${letters};
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && rest > walker.currentNode.length) rest -= walker.currentNode.length;
      getSelection().collapse(walker.currentNode, rest);
    })()`);
  }

  /** Drops a file onto the page. */
  async drop(name: string, content: string | Uint8Array): Promise<void> {
    const base64 = Buffer.from(content).toString('base64');
    await this.tools.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob('${base64}'), (letter) => letter.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], '${name}'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    })()`);
  }

  /** Presses the button that begins with a text. */
  async press(text: string): Promise<void> {
    const found = `[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith('${text}'))`;
    await this.tools.until(`${found} && !${found}.disabled`);
    await this.tools.evaluate(`${found}.click()`);
  }

  /** Writes into a field, or moves a slider, as by hand. */
  async fill(label: string, value: string): Promise<void> {
    await this.tools.evaluate(`(() => {
      const input = [...document.querySelectorAll('input')].find((one) =>
        one.getAttribute('aria-label') === '${label}' || one.closest('label')?.textContent === '${label}');
      if (input.type === 'checkbox') input.checked = ${JSON.stringify(value)} === 'yes';
      else input.value = '${value}';
      for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind));
    })()`);
  }

  /** Presses the mouse on the canvas, so many pixels from its middle. */
  async click(right = 0, down = 0): Promise<void> {
    const { x, y } = await this.tools.evaluate<Record<'x' | 'y', number>>(`(() => {
      const { x, y, width, height } = document.getElementById('canvas').getBoundingClientRect();
      return { x: x + width / 2 + ${right}, y: y + height / 2 + ${down} };
    })()`);
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.tools.call('Input.dispatchMouseEvent', {
        type,
        x,
        y,
        button: 'left',
        clickCount: 1,
      });
  }

  /** Chooses from a list. */
  async choose(list: string, value: string): Promise<void> {
    await this.tools.evaluate(`(() => {
      const select = document.querySelector('select[aria-label="${list}"]');
      select.value = '${value}';
      select.onchange();
    })()`);
  }

  /** Begins a run, and waits until it has begun. */
  async run(): Promise<void> {
    const runs = await this.tools.evaluate<number>('Number(document.body.dataset.runs ?? 0)');
    await this.press('Run');
    await this.tools.until(`Number(document.body.dataset.runs) > ${runs}`);
  }

  /** Waits for a phase. */
  async reach(phase: string): Promise<void> {
    await this.tools.until(`document.body.dataset.phase === '${phase}'`, 200);
  }

  /** The step that the page shows. */
  step(): Promise<number> {
    return this.tools.evaluate('Number(document.body.dataset.step)');
  }

  /** The text of a file that the page offers to save. */
  async file(name: string): Promise<string> {
    const choice = `document.querySelector('#files select')`;
    await this.tools.until(
      `[...${choice}?.options ?? []].some((one) => one.value.endsWith('${name}'))`,
    );
    return this.tools.evaluate(`new Promise((resolve) => {
      const before = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = before;
        blob.text().then(resolve);
        return before(blob);
      };
      ${choice}.value = [...${choice}.options].find((one) => one.value.endsWith('${name}')).value;
      ${choice}.onchange();
    })`);
  }

  /** The bytes of the next file that the page saves, in letters, after something is done. */
  async saved(act: () => Promise<void>): Promise<Buffer> {
    await this.tools.evaluate(`(() => {
      const before = URL.createObjectURL;
      globalThis.saved = '';
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = before;
        const reader = new FileReader();
        reader.onload = () => (globalThis.saved = reader.result.split(',')[1]);
        reader.readAsDataURL(blob);
        return before(blob);
      };
    })()`);
    await act();
    await this.tools.until('globalThis.saved');
    return Buffer.from(await this.tools.evaluate<string>('globalThis.saved'), 'base64');
  }

  /** Presses a key, as by hand. */
  async key(key: string, modifiers = 0): Promise<void> {
    const code = { Tab: 9, Enter: 13, Escape: 27, ArrowLeft: 37 }[key] ?? 0;
    const event = { key, code: key, modifiers, windowsVirtualKeyCode: code };
    for (const type of ['rawKeyDown', 'keyUp'])
      await this.tools.call('Input.dispatchKeyEvent', { type, ...event });
  }

  /** The pixels of the canvas. */
  async canvas(): Promise<ReturnType<typeof decode>> {
    const clip = await this.tools.evaluate<Record<'x' | 'y' | 'width' | 'height', number>>(
      `document.getElementById('canvas').getBoundingClientRect().toJSON()`,
    );
    const { data } = await this.tools.call('Page.captureScreenshot', {
      format: 'png',
      clip: { ...clip, scale: 1 },
    });
    return decode(Buffer.from(data as string, 'base64'));
  }

  /** Waits until the canvas shows the step that the page is at. */
  async shown(): Promise<void> {
    await this.tools.until('document.body.dataset.drawn === (document.body.dataset.step ?? "0")');
    await this.tools.until('Number(document.body.dataset.pictures) > 1'); // the first has no box
    await this.tools.evaluate(`new Promise((resolve) => {
      let before = '';
      const look = () => {
        if (document.body.dataset.pictures === before) resolve();
        before = document.body.dataset.pictures;
        setTimeout(look, 300);
      };
      look();
    })`);
  }

  /** Nobody serves the page any more. */
  cutOff(): void {
    this.#served?.close();
  }

  async close(): Promise<void> {
    await this.tools.close();
    this.#served?.close();
  }
}
