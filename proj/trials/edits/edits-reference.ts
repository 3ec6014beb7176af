/**
 * What an edit must do, written from issue 7's words and apart from the engine: every place of a file is compared line
 * by line with what is searched, tier by tier. Slow, and simple enough to be believed.
 */
export const TIERS = ['exact', 'trailing-space', 'indentation', 'look-alikes'] as const
export type Tier = (typeof TIERS)[number]

/** A line of the new text: one of the old text's, by index, or a new one. */
export type NewLine = { kept: number } | { text: string }

/** An edit of whole lines. */
export interface LineEdit {
  searched: string[]
  replaced: NewLine[]
  /** Between the lines of the searched text, as the answer writes it. */
  ending: '\n' | '\r\n'
}

interface FileLine {
  start: number
  body: string
  ending: string
}

interface Match {
  tier: Tier
  /** Index of the first line. */
  line: number
  /** Indentation to put before new lines, or to take from them. */
  added: string
  removed: string
  /** It is indented by a tab where the searched text has so many spaces. */
  spacesPerTab?: number
  /** It ends in CRLF where the searched text has LF, and is the same else. */
  isOnlyCrlf?: true
}

export type Verdict =
  | { kind: 'found'; tier: Tier; line: number; before: string; after: string; middle: RegExp }
  /** Each is what the file may be if one of them were chosen. */
  | { kind: 'ambiguous'; tier: Tier; choices: Verdict[] }
  | { kind: 'missing' }

/** Where the edit belongs in the file, and what must stand there afterwards. */
export function judge(file: string, edit: LineEdit, mode: 'exact' | 'tolerant'): Verdict {
  const lines = fileLines(file)
  const matches = lines.flatMap((_, line) => matchAt(lines, line, edit) ?? [])
    .filter(({ tier }) => mode === 'tolerant' || tier === 'exact')
  const tier = TIERS.find((each) => matches.some((match) => match.tier === each))
  if (tier === undefined) return { kind: 'missing' }
  const best = matches.filter((match) => match.tier === tier
    || (tier === 'exact' && match.isOnlyCrlf && edit.ending === '\n'))
  const choices = best.map((match) => outcome(file, lines, match, edit))
  return choices.length === 1 && choices[0] ? choices[0] : { kind: 'ambiguous', tier, choices }
}

/** True where the result is the file with the right lines in the right place. */
export function fits(verdict: Verdict, result: string): 'right' | 'wrong place' | 'wrong bytes' {
  if (verdict.kind !== 'found') return 'wrong place'
  const { before, after, middle } = verdict
  const isAround = result.startsWith(before) && result.endsWith(after)
  if (!isAround || result.length < before.length + after.length) return 'wrong place'
  return middle.test(result.slice(before.length, result.length - after.length)) ? 'right' : 'wrong bytes'
}

export function fileLines(file: string): FileLine[] {
  const lines: FileLine[] = []
  for (let start = file.startsWith('\ufeff') ? 1 : 0; start < file.length;) {
    const feed = file.indexOf('\n', start)
    const end = feed < 0 ? file.length : feed + 1
    const ending = feed < 0 ? '' : file[feed - 1] === '\r' && feed > start ? '\r\n' : '\n'
    lines.push({ start, body: file.slice(start, end - ending.length), ending })
    start = end
  }
  return lines
}

function matchAt(lines: readonly FileLine[], line: number, { searched, ending }: LineEdit): Match | undefined {
  const place = lines.slice(line, line + searched.length)
  if (place.length < searched.length) return undefined
  const pairs = place.map((found, index): [string, string] => [found.body, searched[index] ?? ''])
  const none = { line, added: '', removed: '' }
  const sameEndings = place.slice(0, -1).every((found) => found.ending === ending)
  if (sameEndings && pairs.every(([found, wanted]) => found === wanted)) return { tier: 'exact', ...none }
  const trimmed = pairs.map(([found, wanted]): [string, string] => [trimEnd(found), trimEnd(wanted)])
  if (trimmed.every(([found, wanted]) => found === wanted)) {
    const isOnlyCrlf = pairs.every(([found, wanted]) => found === wanted)
    return { tier: 'trailing-space', ...none, ...(isOnlyCrlf && { isOnlyCrlf }) }
  }
  const shift = shiftOf(trimmed) ?? tabsOf(trimmed)
  if (shift) return { tier: 'indentation', line, ...shift }
  const plain = trimmed.map(([found, wanted]): [string, string] => [fold(found), fold(wanted)])
  const folded = shiftOf(plain) ?? tabsOf(plain)
  return folded && { tier: 'look-alikes', line, ...folded }
}

/** A tab for each 4 spaces, or for each 2, on every line. */
function tabsOf(pairs: readonly [string, string][]): Pick<Match, 'added' | 'removed' | 'spacesPerTab'> | undefined {
  if (pairs.some(([, wanted]) => indentOf(wanted).includes('\t'))) return undefined
  const spacesPerTab = [4, 2].find((width) => pairs.every(([found, wanted]) => found === tabbed(wanted, width)))
  return spacesPerTab === undefined ? undefined : { added: '', removed: '', spacesPerTab }
}

function tabbed(line: string, width: number): string {
  return line.replace(/^ +/, (spaces) => '\t'.repeat(spaces.length / width) + ' '.repeat(spaces.length % width))
}

function trimEnd(text: string): string {
  return text.replace(/[ \t]+$/, '')
}

/** The same indentation more, or less, on every line that is not blank. */
function shiftOf(pairs: readonly (readonly [string, string])[]): { added: string; removed: string } | undefined {
  let shift: { added: string; removed: string } | undefined
  for (const [found, wanted] of pairs) {
    if (found === '' && wanted === '') continue
    if (found.trim() !== wanted.trim() || wanted.trim() === '') return undefined
    const [here, there] = [indentOf(found), indentOf(wanted)]
    const own = here.endsWith(there) ? { added: here.slice(0, here.length - there.length), removed: '' }
      : there.endsWith(here) ? { added: '', removed: there.slice(0, there.length - here.length) }
      : undefined
    if (!own || (shift && (shift.added !== own.added || shift.removed !== own.removed))) return undefined
    shift = own
  }
  return shift
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function fold(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
}

/** What the file must be once the lines of this match are replaced. */
export function outcome(
  file: string, lines: readonly FileLine[], match: Match, { searched, replaced }: LineEdit,
): Verdict {
  const place = lines.slice(match.line, match.line + searched.length)
  const [first, last] = [place[0], place.at(-1)]
  if (!first || !last) return { kind: 'missing' }
  const endings = new Set(lines.map(({ ending }) => ending).filter((ending) => ending !== ''))
  // In a file of both kinds new lines may end like any of those around them.
  const usual = endings.size > 1 ? '\\r?\\n' : escape([...endings][0] ?? '\n')
  const isLastKept = (line: NewLine) => 'kept' in line && line.kept === searched.length - 1
  const parts = replaced.map((line, index): string => {
    const old = 'kept' in line ? place[line.kept] : undefined
    const body = old ? old.body : 'text' in line ? shifted(line.text, match) : ''
    const isEnd = index === replaced.length - 1
    if (isEnd && last.ending === '') return `${escape(body)}${isLastKept(line) ? '' : '(?:\\r?\\n)?'}`
    return `${escape(body)}${old && old.ending !== '' && !(isEnd && !isLastKept(line)) ? escape(old.ending) : usual}`
  })
  const end = last.start + last.body.length + last.ending.length
  return {
    kind: 'found', tier: match.tier, line: match.line + 1, before: file.slice(0, first.start), after: file.slice(end),
    middle: new RegExp(`^${parts.join('')}$`),
  }
}

function shifted(text: string, { added, removed, spacesPerTab }: Match): string {
  if (text.trim() === '') return text
  if (spacesPerTab !== undefined) return tabbed(text, spacesPerTab)
  if (removed === '') return added + text
  // A new line that is indented by less, or otherwise, loses what it has.
  const length = text.startsWith(removed) ? removed.length : Math.min(indentOf(text).length, removed.length)
  return text.slice(length)
}

export function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\r/g, '\\r').replace(/\n/g, '\\n')
}
