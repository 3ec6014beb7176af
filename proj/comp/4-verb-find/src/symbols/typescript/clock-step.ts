/** A step of a file system's clock, in milliseconds: a change within it may leave the time of a file as it was. */
export const CLOCK_STEP_MS = 2000
