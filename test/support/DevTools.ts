import type { Readable, Writable } from 'node:stream';
import { launch, type Visit } from './chromium.js';

/** Canvases of WebGPU are shown through Vulkan: without it the first one that is shown loses the device. */
const presenting = [
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--disable-vulkan-surface',
];

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A page in headless Chromium that a test acts on, through two pipes of the DevTools protocol. */
export class DevTools {
  /** Errors and warnings that the page wrote to its console, or threw. */
  readonly complaints: string[] = [];
  readonly #visit: Visit;
  readonly #out: Writable;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #session = '';
  #last = 0;

  private constructor(visit: Visit) {
    this.#visit = visit;
    this.#out = visit.process.stdio[3] as Writable;
    let text = '';
    (visit.process.stdio[4] as Readable).setEncoding('utf8').on('data', (more: string) => {
      const parts = (text + more).split('\0');
      text = parts.pop()!;
      for (const part of parts) this.#take(JSON.parse(part) as Answer);
    });
  }

  /** Starts a browser, and shows a page of this size. */
  static async open(url: string, size: readonly [number, number] = [1200, 800]): Promise<DevTools> {
    const args = [
      ...presenting,
      '--remote-debugging-pipe',
      `--window-size=${size.join()}`,
      'about:blank',
    ];
    const tools = new DevTools(await launch(args, ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']));
    const { targetInfos } = await tools.call('Target.getTargets');
    const page = (targetInfos as { type: string; targetId: string }[]).find(
      ({ type }) => type === 'page',
    )!;
    const { sessionId } = await tools.call('Target.attachToTarget', {
      targetId: page.targetId,
      flatten: true,
    });
    tools.#session = sessionId as string;
    await tools.call('Runtime.enable');
    await tools.call('Log.enable');
    await tools.call('Page.enable');
    await tools.resize(size);
    await tools.call('Page.navigate', { url });
    return tools;
  }

  /** Gives the page another size, in pixels. */
  async resize([width, height]: readonly [number, number]): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
    await this.call('Emulation.setDeviceMetricsOverride', metrics);
  }

  /** A method of the protocol. @throws what Chromium answers, or when it has ended */
  async call(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    const session = this.#session && { sessionId: this.#session };
    this.#out.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    const { result, error } = await Promise.race([answered, this.#visit.ended]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result!;
  }

  /** The value of an expression in the page; a promise is awaited. @throws what it throws there */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  /** Waits until an expression is true in the page. @throws after `seconds`, with what the page shows */
  async until(expression: string, seconds = 60): Promise<void> {
    const end = Date.now() + 1000 * seconds;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > end) {
        const shown = await this.evaluate<string>('document.body.innerText.slice(-1500)');
        throw new Error(
          `not after ${seconds} s: ${expression}\n${this.complaints.join('\n')}\n${shown}`,
        );
      }
      await new Promise((later) => setTimeout(later, 30));
    }
  }

  /** Clicks at a place of the page. */
  async click(x: number, y: number): Promise<void> {
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
  }

  /** What is on the screen, as PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.call('Page.captureScreenshot', { format: 'png' });
    return Buffer.from(data as string, 'base64');
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    await this.#visit.end();
  }

  #take({ id, method, params, ...answer }: Answer): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    } else if (method === 'Runtime.consoleAPICalled') {
      const { type, args } = params as {
        type: string;
        args: { value?: unknown; description?: string }[];
      };
      if (type === 'error' || type === 'warning' || type === 'assert')
        this.complaints.push(args.map((one) => String(one.value ?? one.description)).join(' '));
    } else if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params));
    else if (method === 'Log.entryAdded') {
      const { entry } = params as { entry: { level: string; text: string; url?: string } };
      if (entry.level === 'error') this.complaints.push(`${entry.text} ${entry.url ?? ''}`);
    }
  }
}
