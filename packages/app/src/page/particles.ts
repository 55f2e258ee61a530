import { appearance } from './appearance.js';
import { byId } from './elements.js';
import type { Link } from './Link.js';

/** Radians a pixel. */
const TURN = 0.008;
/** Pixels that a hand may tremble in a click. */
const STILL = 3;

/** The canvas that the engine draws into, the hand that moves its camera, and the choice of colors. */
export function particles(link: Link): void {
  let canvas = byId<HTMLCanvasElement>('canvas');
  hand(canvas, link);
  link.on('renewed', () => {
    const fresh = canvas.cloneNode() as HTMLCanvasElement; // a canvas belongs to one engine for ever
    canvas.replaceWith(fresh);
    canvas = fresh;
    hand(canvas, link);
  });
  appearance(link);
  showLegend(link);
  const picked = byId('picked');
  link.on('picked', ({ text }) => {
    picked.textContent = text ?? '';
  });
}

/** Gives a canvas to the engine. */
function hand(canvas: HTMLCanvasElement, link: Link): void {
  const off = canvas.transferControlToOffscreen();
  link.ask({ kind: 'canvas', canvas: off }, [off]);
  new ResizeObserver(() => {
    const { clientWidth, clientHeight, isConnected } = canvas;
    if (!isConnected) return;
    const [width, height] = [clientWidth, clientHeight].map((n) =>
      Math.round(n * devicePixelRatio),
    );
    link.ask({ kind: 'size', width: width!, height: height! });
  }).observe(canvas);
  moveByHand(canvas, link);
  moveByKeys(canvas, link);
}

/** A bar of colors between the least and the greatest number. */
function showLegend(link: Link): void {
  const place = byId('legend');
  link.on('legend', ({ scale }) => {
    place.hidden = !scale;
    if (!scale) return;
    const bar = document.createElement('span');
    bar.style.background = `linear-gradient(to right, ${scale.colors})`;
    const [least, greatest] = [scale.least, scale.greatest].map((one) => one.toPrecision(4));
    place.replaceChildren(`${scale.name}: ${least} `, bar, ` ${greatest}`);
  });
}

function moveByHand(canvas: HTMLCanvasElement, link: Link): void {
  const hands = new Map<number, PointerEvent>();
  let way = 0;
  canvas.onpointerdown = (event) => {
    hands.set(event.pointerId, event);
    way = 0;
    canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = (event) => {
    const before = hands.get(event.pointerId);
    if (!before) return;
    hands.set(event.pointerId, event);
    const [x, y] = [event.clientX - before.clientX, event.clientY - before.clientY];
    way += Math.abs(x) + Math.abs(y);
    if (hands.size === 2) {
      const other = [...hands.values()].find((one) => one.pointerId !== event.pointerId)!;
      const far = (one: PointerEvent) =>
        Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      link.ask({ kind: 'camera', motion: { kind: 'zoom', factor: far(event) / far(before) || 1 } });
    } else if (event.shiftKey || event.buttons === 2) {
      const height = canvas.clientHeight;
      const motion = { kind: 'move', right: -x / height, upward: y / height } as const;
      link.ask({ kind: 'camera', motion });
    } else {
      link.ask({ kind: 'camera', motion: { kind: 'orbit', right: TURN * x, upward: TURN * y } });
    }
  };
  canvas.onpointerup = (event) => {
    const isClick = hands.size === 1 && way < STILL;
    hands.delete(event.pointerId);
    if (!isClick) return;
    const { left, top } = canvas.getBoundingClientRect();
    const x = (event.clientX - left) * devicePixelRatio;
    const y = (event.clientY - top) * devicePixelRatio;
    link.ask({ kind: 'pick', x, y });
  };
  canvas.onpointercancel = (event) => hands.delete(event.pointerId);
  canvas.oncontextmenu = (event) => event.preventDefault();
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const factor = Math.exp(-0.001 * event.deltaY);
      link.ask({ kind: 'camera', motion: { kind: 'zoom', factor } });
    },
    { passive: false },
  );
}

function moveByKeys(canvas: HTMLCanvasElement, link: Link): void {
  const turn = (right: number, upward: number) =>
    ({ kind: 'orbit', right: 0.1 * right, upward: 0.1 * upward }) as const;
  const motions = {
    ArrowLeft: turn(-1, 0),
    ArrowRight: turn(1, 0),
    ArrowUp: turn(0, -1),
    ArrowDown: turn(0, 1),
    '+': { kind: 'zoom', factor: 1.15 },
    '-': { kind: 'zoom', factor: 1 / 1.15 },
    '0': { kind: 'whole' },
  } as const;
  canvas.onkeydown = (event) => {
    const motion = motions[event.key as keyof typeof motions];
    if (!motion) return;
    event.preventDefault();
    link.ask({ kind: 'camera', motion });
  };
}
