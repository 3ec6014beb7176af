/** What each verb says of line endings that puts text into a file as it is written. */
export const ENDINGS_FIT = 'New text that has only LF takes the line endings of the lines it replaces or joins; with a '
  + 'CR in it, it is written as given.'
