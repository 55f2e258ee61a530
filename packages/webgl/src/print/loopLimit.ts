/** More passes than a shader can make before the driver ends it: loops end by their own condition. */
export const loopLimit = 16_777_215;
