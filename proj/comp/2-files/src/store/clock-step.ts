/**
 * A step of a file system's clock, in milliseconds: some tell times by two seconds, so that a file changed so shortly
 * ago may have changed again since without another time.
 */
export const CLOCK_STEP_MS = 2000
