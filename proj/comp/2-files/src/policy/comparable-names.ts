/**
 * In lower case, and without what some file systems ignore in names, so that no other spelling of `.git` passes:
 * characters without a form of their own (HFS+), compatibility forms, case beyond ASCII (APFS folds `ſ` to `s`),
 * trailing dots and spaces, and the stream after a colon (NTFS). More is taken for the same than any one file system
 * does.
 *
 * @param below relative path, `/` between names
 */
export function comparableNames(below: string): string {
  const folded = PLAIN.test(below) ? below.toLowerCase()
    : below.replace(IGNORED, '').normalize('NFKC').toUpperCase().toLowerCase().replace(IGNORED, '')
  return /[.: ](?:\/|$)|:/.test(folded) ? folded.split('/').map(withoutTail).join('/') : folded
}

const PLAIN = /^[\x20-\x7e]*$/
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu

/** Character by character: a pattern for it would take the square of the length. */
function withoutTail(name: string): string {
  const colon = name.indexOf(':')
  let end = colon > 0 ? colon : name.length
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return name.slice(0, end)
}
