import type { Random } from './answers.js'
import { pick } from './answers.js'

/** One slip of a model: what happens to one line of an answer, or where the answer is cut. */
export interface Slip {
  kind: SlipKind
  /** Index of the line. */
  line: number
  /** Column of the character, or where the line is cut. */
  column: number
  /** The character put in place, or the line end. */
  put: string
}

export const SLIP_KINDS = [
  'delete line', 'double line', 'mangle line', 'delete character', 'double character', 'replace character', 'cut',
  'join lines', 'line end', 'swap lines',
] as const
export type SlipKind = typeof SLIP_KINDS[number]

const LINE_ENDS = ['\r\n', '\r', '\u2028']
const CHARACTERS = [...'abXZ09 _-:=<>#!`~[]{}"\'/|.,']

/** @param markers indexes of the lines whose characters are changed */
export function makeSlip(random: Random, lines: readonly string[], markers: readonly number[]): Slip {
  const kind = pick(random, SLIP_KINDS)
  const ofCharacter = kind.endsWith('character') && markers.length > 0
  const line = ofCharacter ? pick(random, markers) : Math.floor(random() * lines.length)
  const column = Math.floor(random() * Math.max(1, lines[line]!.length))
  return { kind, line, column, put: pick(random, kind === 'line end' ? LINE_ENDS : CHARACTERS) }
}

export function applySlip(lines: readonly string[], slip: Slip): string {
  const { kind, line, column, put } = slip
  const own = lines[line]!
  const before = lines.slice(0, line)
  const after = lines.slice(line + 1)
  const text = (...middle: string[]): string => [...before, ...middle, ...after].map((one) => `${one}\n`).join('')
  switch (kind) {
    case 'delete line': return text()
    case 'double line': return text(own, own)
    case 'mangle line': return text(mangled(own, column))
    case 'delete character': return text(own.slice(0, column) + own.slice(column + 1))
    case 'double character': return text(own.slice(0, column + 1) + own.slice(column))
    case 'replace character': return text(own.slice(0, column) + put + own.slice(column + 1))
    case 'cut': return [...before, own.slice(0, column)].join('\n')
    case 'join lines': return [...before, own + (after[0] ?? ''), ...after.slice(1)].map((one) => `${one}\n`).join('')
    case 'line end': return [...before.map((one) => `${one}\n`), own, put, ...after.map((one) => `${one}\n`)].join('')
    case 'swap lines': return [...before, ...after.slice(0, 1), own, ...after.slice(1)]
      .map((one) => `${one}\n`).join('')
  }
}

/** Lines of the answer that the slip changes. */
export function touchedLines({ kind, line, put }: Slip, count: number): number[] {
  const two = kind === 'join lines' || kind === 'swap lines' || (kind === 'line end' && put !== '\r\n')
  return two && line + 1 < count ? [line, line + 1] : [line]
}

/** Half of the line is lost, the rest reversed in place. */
function mangled(line: string, column: number): string {
  const rest = line.slice(column)
  return line.slice(0, column) + Array.from(rest).reverse().join('').slice(0, Math.ceil(rest.length / 2))
}
