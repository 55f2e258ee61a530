export {
  type Camera,
  type CameraOptions,
  cameraFor,
  type Lens,
  type Vector,
} from './camera/Camera.js';
export { move, orbit, zoom } from './camera/motion.js';
export { colorMaps, type MapName } from './color/colorMaps.js';
export { type Rgb, typeColors } from './color/typeColors.js';
export { compileView } from './compileView.js';
export {
  createView,
  type Picked,
  type PictureOptions,
  type View,
  type ViewCanvas,
  type ViewOptions,
} from './createView.js';
export type { Bonded, Coloring, Look, Plane } from './Look.js';
export { drawLegend, type Legend } from './legend/drawLegend.js';
export { type AskedPicture, Pace, type PaceOptions } from './Pace.js';
export type { Picture } from './Picture.js';
export { usualRadius } from './usualRadius.js';
