import { globRegex, isGlob } from '../shell/globs.js'

/** The program a command's first word names: without its directory and `.exe`; wildcards may find a known one. */
export function commandName(word: string, known: readonly string[]): string {
  const name = (word.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat)$/i, '')
  if (name.length > 40 || !isGlob(name)) return name
  const regex = globRegex(name)
  return known.find((one) => regex.test(one)) ?? name
}
