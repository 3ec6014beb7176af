import { shellWord } from '../../0-text/src/index.js'

/** A path as a word of a command line; as it is where that is the same. */
export function quoted(path: string): string {
  const word = shellWord(path)
  return process.platform === 'win32' && word !== path ? `"${path}"` : word
}
