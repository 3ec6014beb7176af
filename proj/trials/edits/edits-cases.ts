import type { LineEdit, NewLine } from './edits-reference.js'

/** Deterministic numbers in [0, 1): mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** A file and an edit of it whose searched text drifted. */
export interface DriftCase {
  drift: Drift
  file: string
  edit: LineEdit
  /** 1-based line at which the passage was taken. */
  line: number
}

export const TOLERATED = [
  'none', 'space at ends in the file', 'space at ends in the answer', 'a file of CRLF', 'an answer of CRLF',
  'mixed endings', 'more indentation', 'less indentation', 'tabs more', 'spaces for tabs',
  'quotes and dashes in the file', 'quotes and dashes in the answer', 'all at once',
] as const
export const UNTOLERATED = [
  'a word', 'letter case', 'space within a line', 'a line dropped', 'a line too many', 'a blank line too many',
  'lines swapped', 'uneven indentation', 'spaces for some tabs', 'part of a line', 'a letter of another script',
] as const
export const COPIED = ['a copy elsewhere', 'a copy that drifted'] as const
export const DRIFTS = [...TOLERATED, ...UNTOLERATED, ...COPIED] as const
export type Drift = (typeof DRIFTS)[number]

type Random = () => number

/** The file and the searched lines as drifts change them. */
interface Texts {
  lines: string[]
  endings: string[]
  at: number
  searched: string[]
  replaced: NewLine[]
  ending: '\n' | '\r\n'
}

export function driftCase(random: Random, drift: Drift): DriftCase {
  const lines = randomLines(random)
  const length = Math.min(1 + Math.floor(random() ** 2 * 8), lines.length)
  const at = pick(random, Math.max(lines.length - length + 1, 1))
  if (lines.slice(at, at + length).every((line) => line.trim() === '')) lines[at] = `  mark${pick(random, 1000)}()`
  const searched = lines.slice(at, at + length)
  const texts: Texts = {
    lines, at, searched, replaced: randomChange(random, searched), ending: '\n',
    endings: lines.map(() => '\n'),
  }
  DRIFT[drift](texts, random)
  // Blank lines alone are found byte for byte or not at all, and as a SEARCH they name a file to create.
  if (texts.searched.every((line) => line.trim() === '')) return driftCase(random, drift)
  const isOpen = random() < 0.2
  const bom = random() < 0.05 ? '\ufeff' : ''
  const last = texts.lines.length - 1
  const endingAt = (index: number) => (index === last && isOpen ? '' : texts.endings[index] ?? '\n')
  const file = bom + texts.lines.map((line, index) => line + endingAt(index)).join('')
  const { replaced, ending } = texts
  return { drift, file, edit: { searched: texts.searched, replaced, ending }, line: texts.at + 1 }
}

function pick(random: Random, count: number): number {
  return Math.floor(random() * count)
}

function oneOf<T>(random: Random, items: readonly T[]): T {
  const item = items[pick(random, items.length)]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

/** Code with the lines that files repeat: braces, blank lines, short statements. */
function randomLines(random: Random): string[] {
  let depth = 0
  const unit = oneOf(random, ['  ', '    ', '\t'])
  return Array.from({ length: 3 + pick(random, 50) }, () => {
    const kind = random()
    if (kind < 0.12) return ''
    if (kind < 0.24 && depth > 0) return `${unit.repeat(--depth)}}`
    const number = pick(random, 500)
    if (kind < 0.36 && depth < 4) return `${unit.repeat(depth++)}function part${number}(a, b) {`
    const statement = oneOf(random, [
      `const v${number} = "text - ${number}"`, `call${number}('it', a - b)`, `if (x${number}) go()`, 'return x',
      'x += 1', `// note ${number}: don't`, `items.push({ id: ${number} })`, `print("${number}") - 1`,
    ])
    return unit.repeat(depth) + statement
  })
}

/** Lines kept, replaced, left out and put in; at least one is new or left out. */
function randomChange(random: Random, searched: readonly string[]): NewLine[] {
  const fresh = (near: string): NewLine => ({ text: `${/^[ \t]*/.exec(near)?.[0] ?? ''}fresh${pick(random, 1e9)}()` })
  // Of equal lines it cannot be told which one was kept.
  const isOnly = new Set(searched).size === searched.length
  const change = searched.flatMap((line, kept): NewLine[] => {
    const kind = random()
    if (kind < 0.25 || !isOnly) return [fresh(line)]
    if (kind < 0.35) return []
    return kind < 0.5 ? [{ kept }, fresh(line)] : [{ kept }]
  })
  const isSame = change.length === searched.length && change.every((line) => 'kept' in line)
  return isSame ? [...change, fresh(searched.at(-1) ?? '')] : change
}

type Change = (texts: Texts, random: Random) => void

const DRIFT: Readonly<Record<Drift, Change>> = {
  'none': () => undefined,
  'space at ends in the file': (texts, random) => changePassage(texts, (line) => line + space(random)),
  'space at ends in the answer': (texts, random) => changeSearched(texts, (line) => line + space(random)),
  'a file of CRLF': (texts) => void texts.endings.fill('\r\n'),
  'an answer of CRLF': (texts) => {
    texts.ending = '\r\n'
  },
  'mixed endings': (texts, random) => {
    texts.endings = texts.endings.map(() => (random() < 0.5 ? '\r\n' : '\n'))
  },
  'more indentation': (texts, random) => shiftPassage(texts, ' '.repeat(1 + pick(random, 8))),
  'less indentation': (texts, random) => shiftSearched(texts, ' '.repeat(1 + pick(random, 8))),
  'tabs more': (texts) => shiftPassage(texts, '\t'),
  'quotes and dashes in the file': (texts, random) => changePassage(texts, (line) => dressed(line, random)),
  'quotes and dashes in the answer': (texts, random) => changeSearched(texts, (line) => dressed(line, random)),
  'all at once': (texts, random) => {
    texts.endings.fill(random() < 0.5 ? '\r\n' : '\n')
    shiftPassage(texts, '  ')
    changePassage(texts, (line) => dressed(line, random) + space(random))
  },
  'a word': (texts, random) => changeOne(texts, random, (line) => line.replace(/\w+/, (word) => `${word}x`)),
  'letter case': (texts, random) => changeOne(texts, random, (line) => (
    line.replace(/[a-z]/, (letter) => letter.toUpperCase())
  )),
  'space within a line': (texts, random) => changeOne(texts, random, (line) => line.replace(/(\S)( ?)(\S)/, '$1$2 $3')),
  'a line dropped': (texts, random) => {
    if (texts.searched.length < 3) return DRIFT['a word'](texts, random)
    remove(texts, 1 + pick(random, texts.searched.length - 2))
  },
  'a line too many': (texts, random) => insert(texts, random, `more${pick(random, 1e9)}()`),
  'a blank line too many': (texts, random) => {
    if (texts.searched.length < 2) return DRIFT['a word'](texts, random)
    insert(texts, random, '')
  },
  'lines swapped': (texts, random) => {
    const [first, second] = texts.searched
    if (first === undefined || second === undefined) return DRIFT['a word'](texts, random)
    if (first.trim() === second.trim()) return DRIFT['a word'](texts, random)
    texts.searched.splice(0, 2, second, first)
    texts.replaced = [{ text: `fresh${pick(random, 1e9)}()` }]
  },
  'uneven indentation': (texts, random) => {
    if (texts.searched.filter((line) => line.trim() !== '').length < 2) return DRIFT['a word'](texts, random)
    changeOne(texts, random, (line) => `   ${line}`)
  },
  'spaces for tabs': (texts, random) => {
    const unit = oneOf(random, ['    ', '  '])
    const spaced = (line: string) => line.replace(/^\t+/, (tabs) => unit.repeat(tabs.length))
    changeSearched(texts, spaced)
    texts.replaced = texts.replaced.map((line) => ('text' in line ? { text: spaced(line.text) } : line))
  },
  'spaces for some tabs': (texts, random) => {
    if (texts.searched.filter((line) => line.startsWith('\t')).length < 2) return DRIFT['a word'](texts, random)
    changeOne(texts, random, (line) => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length)))
  },
  'part of a line': (texts, random) => changeOne(texts, random, (line) => line.slice(0, -1)),
  'a letter of another script': (texts, random) => changeOne(texts, random, (line) => (
    line.replace(/[aceopx]/, (letter) => CYRILLIC[letter] ?? letter)
  )),
  'a copy elsewhere': (texts, random) => copyPassage(texts, random, (line) => line),
  'a copy that drifted': (texts, random) => copyPassage(texts, random, oneOf<(line: string) => string>(random, [
    (line) => line + space(random), (line) => (line === '' ? '' : `  ${line}`), (line) => dressed(line, random),
  ])),
}

const CYRILLIC: Readonly<Record<string, string>> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х' }

function space(random: Random): string {
  return oneOf(random, ['', ' ', '   ', '\t', ' \t '])
}

/** With look-alikes in place of quotes, dashes and inner spaces. */
function dressed(line: string, random: Random): string {
  const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
  return indent + line.slice(indent.length)
    .replace(/"/g, () => oneOf(random, ['“', '”', '„', '"']))
    .replace(/'/g, () => oneOf(random, ['‘', '’', "'"]))
    .replace(/-/g, () => oneOf(random, ['–', '—', '−', '-']))
    .replace(/(?<=\S) (?=\S)/g, () => (random() < 0.2 ? '\u00a0' : ' '))
}

function changePassage(texts: Texts, change: (line: string) => string): void {
  for (let line = texts.at; line < texts.at + texts.searched.length; line++) {
    texts.lines[line] = change(texts.lines[line] ?? '')
  }
}

/** The kept lines of the new text are written as the searched ones are. */
function changeSearched(texts: Texts, change: (line: string) => string): void {
  texts.searched = texts.searched.map(change)
}

function shiftPassage(texts: Texts, indent: string): void {
  changePassage(texts, (line) => (line.trim() === '' ? line : indent + line))
}

function shiftSearched(texts: Texts, indent: string): void {
  const shifted = (line: string) => (line.trim() === '' ? line : indent + line)
  changeSearched(texts, shifted)
  texts.replaced = texts.replaced.map((line) => ('text' in line ? { text: shifted(line.text) } : line))
}

function changeOne(texts: Texts, random: Random, change: (line: string) => string): void {
  const filled = [...texts.searched.entries()].filter(([, line]) => change(line) !== line)
  if (filled.length === 0) return
  const [index, line] = oneOf(random, filled)
  texts.searched[index] = change(line)
}

function remove(texts: Texts, index: number): void {
  texts.searched.splice(index, 1)
  texts.replaced = texts.replaced.flatMap((line): NewLine[] => {
    if ('text' in line || line.kept < index) return [line]
    return line.kept === index ? [] : [{ kept: line.kept - 1 }]
  })
}

function insert(texts: Texts, random: Random, line: string): void {
  const index = 1 + pick(random, Math.max(texts.searched.length - 1, 1))
  texts.searched.splice(index, 0, line)
  texts.replaced = texts.replaced.map((each) => ('kept' in each && each.kept >= index ? { kept: each.kept + 1 } : each))
}

function copyPassage(texts: Texts, random: Random, change: (line: string) => string): void {
  const copy = texts.searched.map(change)
  const isBefore = random() < 0.5
  const end = texts.at + texts.searched.length
  const place = isBefore ? pick(random, texts.at + 1) : end + pick(random, texts.lines.length - end + 1)
  texts.lines.splice(place, 0, ...copy)
  texts.endings.push(...copy.map(() => '\n'))
  if (isBefore) texts.at += copy.length
}
