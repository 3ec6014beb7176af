const ESCAPE = String.fromCharCode(27)
const COLOURS = new RegExp(`${ESCAPE}\\[([\\d;]*)m`, 'g')
/** Which of the decorations 1 to 9 a code from 22 to 29 ends. */
const ENDS: Readonly<Record<number, readonly number[]>> = {
  22: [1, 2], 23: [3], 24: [4], 25: [5, 6], 27: [7], 28: [8], 29: [9],
}

/** What sequences have set and not yet ended. */
interface Colours {
  front: string
  back: string
  decorations: ReadonlySet<number>
}

const NONE: Colours = { front: '', back: '', decorations: new Set() }

/**
 * For each line the sequence that sets the colours it begins in, which lines before it have set;
 * '' where there are none.
 * With it a part of long output looks as it does in the whole.
 */
export function coloursAtStart(lines: readonly string[]): readonly string[] {
  let now = NONE
  let sequence = ''
  return lines.map((line) => {
    const atStart = sequence
    if (line.includes(ESCAPE)) {
      for (const [, codes = ''] of line.matchAll(COLOURS)) now = after(now, codes.split(';').map(Number))
      sequence = sequenceOf(now)
    }
    return atStart
  })
}

/** The same colours by sequences that each say all that is set: a code that is given twice ends at its first end. */
export function wholeSequences(text: string): string {
  let now = NONE
  return text.replace(COLOURS, (_, codes: string) => {
    now = after(now, codes.split(';').map(Number))
    return `${ESCAPE}[0m${sequenceOf(now)}`
  })
}

function after(before: Colours, codes: readonly number[]): Colours {
  let now = before
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0
    if (code === 38 || code === 48) {
      // 38;5;N, or 38;2;R;G;B.
      const words = codes.slice(at, at + (codes[at + 1] === 2 ? 5 : 3))
      at += words.length - 1
      now = { ...now, [code === 38 ? 'front' : 'back']: words.join(';') }
    } else now = afterOne(now, code)
  }
  return now
}

function afterOne(now: Colours, code: number): Colours {
  if (code === 0) return NONE
  if (code < 10) return { ...now, decorations: new Set([...now.decorations, code]) }
  if (code in ENDS) {
    return { ...now, decorations: new Set([...now.decorations].filter((each) => !ENDS[code]?.includes(each))) }
  }
  if (code === 39) return { ...now, front: '' }
  if (code === 49) return { ...now, back: '' }
  if ((code >= 30 && code < 38) || (code >= 90 && code < 98)) return { ...now, front: String(code) }
  return (code >= 40 && code < 48) || (code >= 100 && code < 108) ? { ...now, back: String(code) } : now
}

function sequenceOf({ front, back, decorations }: Colours): string {
  const codes = [...decorations, front, back].filter((code) => code !== '')
  return codes.length === 0 ? '' : `${ESCAPE}[${codes.join(';')}m`
}
