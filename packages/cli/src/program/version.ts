/** The version of the command, that of its package.json. */
export const version = '0.1.0';
