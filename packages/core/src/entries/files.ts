export { type FolderHandle, files, loadFolder, saveFile, saveFolder } from '../io/files.js';
