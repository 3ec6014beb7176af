/** Files as the trial of line endings knows them, and what an edit may make of them: apart from the engine. */

export type Ending = '' | '\n' | '\r\n'

/** A line, and how it may end: where the rule leaves a choice, in several ways. */
export interface Slot {
  body: string
  endings: ReadonlySet<Ending>
}

/** A line of an edit: one of those that are there, or a new one, with its line break where that is as written. */
export type NewLine = { kept: number } | { body: string; written?: Ending }

export interface LineEdit {
  /** Index of the first line that is quoted or replaced, and how many there are: none where lines are put in only. */
  at: number
  count: number
  lines: readonly NewLine[]
  /** What the end of a text without a final line break becomes where this edit writes it: the same, or one that has. */
  end: 'as it was' | 'broken'
}

export function slotsOf(text: string): Slot[] {
  const lines = text.replace(/^\ufeff/, '').match(/[^\n]*\n|[^\n]+$/g) ?? []
  return lines.map((line) => {
    const ending = line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : ''
    return { body: line.slice(0, line.length - ending.length), endings: new Set<Ending>([ending]) }
  })
}

/**
 * The rule of the contract: untouched lines keep their bytes; new lines end as one of those they replace, or, where
 * they replace none, as one of those they stand between. Beside a last line without a line break that leaves two
 * readings: as those around the edit, or as most lines of the file.
 */
export function edited(slots: readonly Slot[], { at, count, lines, end }: LineEdit): Slot[] {
  const until = at + count
  const wasBare = until === slots.length && slots.length > 0 && isBare(slots.at(-1))
  // Of a text that has no line break the new one may tell what they are like.
  const own = breaksOf(slots).size > 0 ? [] : lines.flatMap((line) => ('body' in line && line.written) || [])
  const around = new Set([...mostUsed(slots), ...breaksOf(slots.slice(Math.max(0, at - 1), until)), ...own])
  const before = slots.slice(0, at)
  const last = before.at(-1)
  if (lines.length > 0 && last && isBare(last)) before[at - 1] = { ...last, endings: around }
  const added = lines.map((line, index): Slot => {
    const isLast = wasBare && index === lines.length - 1
    if ('kept' in line) {
      const same = slots[at + line.kept]
      if (!same) throw new Error('no such line is kept')
      return isBare(same) && !isLast ? { ...same, endings: around } : same
    }
    if (isLast && end === 'as it was') return { body: line.body, endings: new Set<Ending>(['']) }
    if (line.written !== undefined) return { body: line.body, endings: new Set([line.written]) }
    const from = at + keptBeside(lines.slice(0, index).toReversed(), -1) + 1
    const to = at + keptBeside(lines.slice(index + 1), count)
    const near = to > from ? slots.slice(from, to) : slots.slice(Math.max(0, from - 1), from + 1)
    const isOpen = near.every(isBare) || (to === from && near.some(isBare))
    return { body: line.body, endings: isOpen ? around : breaksOf(near) }
  })
  return [...before, ...added, ...slots.slice(until)]
}

/** The first line of these that is there already. */
function keptBeside(lines: readonly NewLine[], none: number): number {
  const kept = lines.find((line) => 'kept' in line)
  return kept && 'kept' in kept ? kept.kept : none
}

/** Why a text is not what it may be; `undefined` where it is. */
export function difference(slots: readonly Slot[], bom: boolean, text: string): string | undefined {
  if (text.startsWith('\ufeff') !== bom) return 'byte order mark'
  const found = slotsOf(text)
  if (found.length !== slots.length) return `${found.length} lines, not ${slots.length}`
  for (const [index, { body, endings }] of slots.entries()) {
    if (found[index]?.body !== body) return `line ${index + 1} is ${JSON.stringify(found[index]?.body)}, not ${body}`
    const [ending = ''] = found[index].endings
    if (!endings.has(ending)) return `line ${index + 1} ends in ${JSON.stringify(ending)}`
  }
  return undefined
}

export function isBare(slot: Slot | undefined): boolean {
  return slot?.endings.has('') === true
}

function breaksOf(slots: readonly Slot[]): Set<Ending> {
  return new Set(slots.flatMap(({ endings }) => [...endings]).filter((ending) => ending !== ''))
}

/** LF of two that are as many; both where it is open how many there are. */
function mostUsed(slots: readonly Slot[]): Set<Ending> {
  const isCertain = slots.every(({ endings }) => endings.size === 1)
  if (!isCertain) return new Set(['\n', '\r\n'])
  const count = (wanted: Ending): number => slots.filter(({ endings }) => endings.has(wanted)).length
  return new Set([count('\r\n') > count('\n') ? '\r\n' : '\n'])
}
