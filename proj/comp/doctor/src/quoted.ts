/** A path as a word of a command line; as it is where that is the same. */
export function quoted(path: string): string {
  if (/^[\w./:@%+,=-]+$/.test(path)) return path
  return process.platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`
}
