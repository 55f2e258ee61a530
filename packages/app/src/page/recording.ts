import { button, byId, labeled } from './elements.js';
import type { Link } from './Link.js';

/** Pixels along an edge at most. */
const MOST = 8192;

/** Pictures and movies of what is seen, at any resolution. */
export function recording(link: Link): void {
  const size = Object.assign(document.createElement('input'), { value: '1280x720', size: 9 });
  const every = Object.assign(document.createElement('input'), {
    ...{ type: 'number', min: '1', value: '10' },
  });
  every.style.width = '5em';
  size.setAttribute('aria-label', 'Size of pictures and movies');
  every.setAttribute('aria-label', 'Steps a frame');
  const sizeNow = () => {
    const [, width, height] = /^(\d+) *[x×] *(\d+)$/.exec(size.value.trim()) ?? [];
    const isGood = [width, height].every((n) => Number(n) >= 1 && Number(n) <= MOST);
    size.setCustomValidity(isGood ? '' : `Width x height in pixels, up to ${MOST}: 1280x720`);
    return size.reportValidity() ? { width: Number(width), height: Number(height) } : null;
  };
  const picture = button('Picture', 'Save what is seen as PNG', () => {
    const wanted = sizeNow();
    if (wanted) link.ask({ kind: 'picture', ...wanted });
  });
  let isRecording = false;
  const movie = button('Movie', 'Save a trajectory, or the run from now on, as WebM', () => {
    const wanted = sizeNow();
    if (isRecording) link.ask({ kind: 'movie end' });
    else if (wanted)
      link.ask({ kind: 'movie', ...wanted, every: Math.max(1, Math.round(Number(every.value))) });
  });
  link.on('recording', (report) => {
    ({ isRecording } = report);
    movie.textContent = isRecording ? 'End movie' : 'Movie';
    document.body.dataset.recording = String(isRecording);
  });
  byId('recording').append(
    picture,
    movie,
    labeled('size', size, 'Width and height of pictures and movies, in pixels'),
    labeled('steps a frame', every, 'Steps of the run from one picture of a movie to the next'),
  );
}
