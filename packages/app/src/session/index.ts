/* What `corpuscle view --run` shares with the page: it is bundled with the command. */
export type { Report, Request, Table } from './messages.js';
export { mistakesOf } from './mistakesOf.js';
export { Session } from './Session.js';
