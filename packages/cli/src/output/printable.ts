/** What commands a terminal, but for line ends, tabs, and the colors and cleared lines that are ours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const COMMANDS = /\x1b\[[\d;]*[AKm]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** A text as a terminal may be given it: a message may quote a file of anybody, and its characters shall not command the terminal. */
export const printable = (text: string): string =>
  text.replace(COMMANDS, (found) => (found.length > 1 ? found : '\ufffd'));
