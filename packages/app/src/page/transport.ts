import type { Texts } from '../session/messages.js';
import type { Phase } from '../session/Session.js';
import { button, byId, choice } from './elements.js';
import type { Link } from './Link.js';

/** Steps a second that one may ask for. */
const SPEEDS = [
  ['0', 'full speed'],
  ['1000', '1000 steps/s'],
  ['100', '100 steps/s'],
  ['10', '10 steps/s'],
] as const;

/** The buttons of a run: run, pause, step, stop, reset, speed. */
export function transport(link: Link, textsNow: () => Texts): void {
  let phase: Phase = 'empty';
  let runs = 0;
  /** Whether Stop was pressed, and the run is still under way. */
  let isStopping = false;
  const isUnderWay = () => phase === 'running' || phase === 'paused' || phase === 'starting';
  const begin = (held: boolean) => {
    if (link.isSilent && !link.isElsewhere) link.renew();
    link.ask({ kind: 'run', texts: textsNow(), held });
  };
  const run = button('Run', 'Run the text from its beginning (Ctrl-Enter)', () => begin(false));
  const pause = button('Pause', 'Hold the run, or let it go on', () =>
    link.ask({ kind: phase === 'paused' ? 'resume' : 'pause' }),
  );
  const step = button('Step', 'Do one step', () => {
    if (isUnderWay()) link.ask({ kind: 'resume', steps: 1 });
    else begin(true);
  });
  const stop = button('Stop', 'End the run after the step it is in; twice: at once', () => {
    if (link.isSilent || (isStopping && !link.isElsewhere)) return link.renew();
    isStopping = true;
    link.ask({ kind: 'stop' });
  });
  const reset = button('Reset', 'Set the text up anew, and hold before the first step', () =>
    begin(true),
  );
  const speed = choice('Speed', SPEEDS, (value) =>
    link.ask({ kind: 'speed', stepsPerSecond: Number(value) || Number.POSITIVE_INFINITY }),
  );
  byId('transport').append(run, pause, step, stop, reset, speed);
  const show = () => {
    run.textContent = isUnderWay() ? 'Run anew' : 'Run';
    pause.textContent = phase === 'paused' ? 'Go on' : 'Pause';
    pause.disabled = phase !== 'running' && phase !== 'paused';
    step.disabled = phase === 'running' || phase === 'starting';
    stop.disabled = !isUnderWay() && !link.isSilent;
  };
  show();
  link.on('phase', (report) => {
    phase = report.phase;
    isStopping &&= isUnderWay() && phase !== 'starting';
    document.body.dataset.phase = phase;
    if (phase === 'starting') document.body.dataset.runs = String(++runs);
    show();
  });
  link.on('silent', show);
  link.on('awake', show);
  addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    run.click();
  });
  showStatus(link, () => phase);
}

const said: Readonly<Record<Phase, string>> = {
  empty: 'ready',
  starting: 'setting up',
  running: 'running',
  paused: 'paused',
  ended: 'ended',
};

/** One line: where the run is and how fast. */
function showStatus(link: Link, phase: () => Phase): void {
  const status = byId('status');
  link.on('progress', (report) => {
    const { step, endStep, time, stepsPerSecond, particles } = report;
    const end = endStep === null ? '' : ` of ${endStep}`;
    const rate = phase() === 'running' ? `, ${Math.round(stepsPerSecond)} steps/s` : '';
    document.body.dataset.step = String(step);
    status.textContent = `${said[phase()]}: step ${step}${end}, time ${Number(time.toPrecision(6))}, ${particles} particles${rate}`;
  });
  const sayPhase = () => {
    status.textContent =
      status.textContent.replace(/^[a-z ]+(?=:|$)|^.*Stop.*$/, said[phase()]) || said[phase()];
  };
  link.on('phase', sayPhase);
  link.on('awake', sayPhase);
  link.on('silent', () => {
    status.textContent =
      'The engine has worked on one piece for 4 s: if a loop of the potential has no end, or the system is too large, Stop ends it.';
  });
}
