import { unlessThrown } from '../../../0-contracts/src/index.js'

/** A shell pattern as a regular expression: for a whole text, or for any part of it. */
export function globRegex(pattern: string, isPart = false): RegExp {
  const around = (source: string): RegExp => (isPart ? new RegExp(source, 'gs') : new RegExp(`^(?:${source})$`, 's'))
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? ''
    const set = char === '[' ? /^\[([!^]?)(\]?[^\]]+)\]/.exec(pattern.slice(at)) : null
    if (char === '*') source += source.endsWith('.*') ? '' : '.*'
    else if (char === '?') source += '.'
    else if (set) {
      source += `[${set[1] ? '^' : ''}${(set[2] ?? '').replace(/[\\\]^[]/g, '\\$&')}]`
      at += set[0].length - 1
    } else if (char === '\\' && at + 1 < pattern.length) source += escaped(pattern[++at] ?? '')
    else source += escaped(char)
  }
  return unlessThrown(SyntaxError, () => around(source), undefined) ?? around(escaped(pattern))
}

/** A text with unquoted wildcards stands for names. */
export function isGlob(text: string): boolean {
  return /[*?]|\[[^[\]]+\]/.test(text)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
