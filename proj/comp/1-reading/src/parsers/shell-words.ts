/** A word of a command, without its quotes. */
export interface ShellWord {
  text: string
  /** Part of it was quoted, so it is no option. */
  isQuoted: boolean
}

/**
 * Splits a command into words as a shell does, with quotes and backslashes; where it contains anything that only a
 * shell can interpret, returns that part as a string.
 */
export function readShellWords(text: string): ShellWord[] | string {
  const words: ShellWord[] = []
  let word: ShellWord | undefined
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at)
    if (char === ' ' || char === '\t') {
      if (word) words.push(word)
      word = undefined
      at++
      continue
    }
    if (char === '\n' || char === '\r') return 'More follows behind its line'
    const part = partAt(text, at, word === undefined)
    if (typeof part === 'string') return part
    word = { text: (word?.text ?? '') + part.text, isQuoted: part.isQuoted || word?.isQuoted === true }
    at = part.end
  }
  return word ? [...words, word] : words
}

interface Part extends ShellWord {
  end: number
}

/** Characters with a special meaning in a shell. */
const SIGNS = /[$`;&|<>()*?[\]{}!]/

function partAt(text: string, at: number, isFirst: boolean): Part | string {
  const char = text.charAt(at)
  if (char === "'") {
    const end = text.indexOf("'", at + 1)
    return end < 0 ? "A quote ' is not closed" : { text: text.slice(at + 1, end), isQuoted: true, end: end + 1 }
  }
  if (char === '"') return doubleQuoted(text, at + 1)
  if (char === '\\') {
    const next = text.charAt(at + 1)
    if (next === '' || next === '\n' || next === '\r') return 'A backslash ends a line'
    return { text: next, isQuoted: true, end: at + 2 }
  }
  if (SIGNS.test(char) || (isFirst && (char === '~' || char === '#'))) return `Only a shell can read ${char}`
  return { text: char, isQuoted: false, end: at + 1 }
}

function doubleQuoted(text: string, from: number): Part | string {
  let value = ''
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return { text: value, isQuoted: true, end: at + 1 }
    if (char === '$' || char === '`') return `Only a shell can read ${char} in "…"`
    const next = text.charAt(at + 1)
    if (char !== '\\' || !'$`"\\\n'.includes(next) || next === '') value += char
    else {
      if (next !== '\n') value += next
      at++
    }
  }
  return 'A quote " is not closed'
}
