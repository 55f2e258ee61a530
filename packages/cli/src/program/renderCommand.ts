import type { Command } from 'commander';
import type { RenderOptions } from '../commands/render/RenderOptions.js';
import type { Streams } from '../Streams.js';
import { loadCommand } from './loadCommand.js';
import { anyNumber, type Ended, OVERWRITE, positiveInteger } from './options.js';

/** `corpuscle render` and its options. */
export function renderCommand(program: Command, streams: Streams, ended: Ended): void {
  program
    .command('render')
    .description('draw frames of a file of particles as PNG, or a movie of them, without a display')
    .argument('<file>', 'a file of particles, in any format that is read')
    .option(
      '--frame <n | a:b:c>',
      'one frame, from 0, or several; −1 is the last; default 0, or all of a movie',
    )
    .option('--out <file>', 'the picture; frame-%04d.png for several', 'picture.png')
    .option('--movie <file>', 'a movie in place of pictures, as in melt.webm; ffmpeg encodes it')
    .option('--fps <n>', 'frames a second of a movie', positiveInteger, 30)
    .option('--from <format>', 'format of the file; default by the ending of its name')
    .option('--size <WxH>', 'pixels', '1280x720')
    .option('--samples <n>', 'samples of a pixel along each axis', positiveInteger, 2)
    .option('--color <field>', 'type, or a field: vx, speed, rz, ep, a column of the file', 'type')
    .option('--map <name>', 'colors of a field: viridis, plasma, inferno, coolwarm, gray')
    .option('--range <a,b>', 'numbers of the first and the last color; default from the particles')
    .option('--no-legend', 'leave out what the colors mean')
    .option('--radius <r,…>', 'of all particles, or of each type in turn; 0 hides a type')
    .option('--direction <x,y,z>', 'from the camera to the box; default -0.5,0.8,-0.4')
    .option('--angle <degrees>', 'of the perspective; 0: none', anyNumber, 30)
    .option('--zoom <factor>', 'nearer, or farther below 1', anyNumber, 1)
    .option('--slice <axis:from:to>', 'only particles there, as in z:5:10; repeatable', list, [])
    .option('--images <AxBxC>', 'boxes along a, b and c', '1x1x1')
    .option('--no-box', 'leave out the edges of the box')
    .option('--no-bonds', 'leave out the bonds of the file')
    .option('--background <color>', 'white, black, or six digits as in f0f0f0', 'white')
    .option('--occlusion <part>', 'how dark hollows are, from 0 to 1', anyNumber, 0.8)
    .option('--overwrite', OVERWRITE, false)
    .action(async (file: string, options: RenderOptions) => {
      const { render } = await loadCommand(() => import('../commands/render/render.js'));
      ended(await render(file, options, streams));
    });
}

const list = (text: string, before: readonly string[]): string[] => [...before, text];
