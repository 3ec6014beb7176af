import Anser from 'anser'
import { wholeSequences } from './ansi-state.js'

/** A piece of a line; its classes are of a fixed set (`ansi-red`, `ansi-bold`, …). */
export interface AnsiSpan {
  text: string
  classes: string
}

const ESCAPE = String.fromCharCode(27)
/** Sequences that set colours; all others stay visible, with this sign for the escape character. */
const OTHER_SEQUENCES = new RegExp(`${ESCAPE}(?!\\[[\\d;]*m)`, 'g')
const ESCAPE_SIGN = '\u241b'
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const DECORATIONS = new Set(['bold', 'dim', 'italic', 'underline', 'strikethrough', 'reverse', 'hidden'])

/** The lines of what a command printed. Of a line written over with carriage returns the last state counts. */
export function outputLines(output: string): string[] {
  const lines = output.split('\n').map((line) => {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    return text.slice(text.lastIndexOf('\r') + 1)
  })
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Output without the sequences that set colours, for searching. */
export function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replace(new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g'), '') : text
}

/**
 * Lines of output in the colours that the sequences in them set, or one before them (`start`). Colours of 256 and 16
 * million become the nearest of 16.
 */
export function ansiLines(lines: readonly string[], start = ''): AnsiSpan[][] {
  if (start === '' && !lines.some((line) => line.includes(ESCAPE))) return lines.map((text) => [{ text, classes: '' }])
  const source = wholeSequences(start + lines.join('\n')).replace(OTHER_SEQUENCES, ESCAPE_SIGN)
  const result: AnsiSpan[][] = [[]]
  for (const entry of Anser.ansiToJson(source, { json: true, use_classes: true, remove_empty: true })) {
    const classes = classesOf(entry)
    for (const [index, text] of entry.content.split('\n').entries()) {
      if (index > 0) result.push([])
      if (text !== '') result.at(-1)?.push({ text, classes })
    }
  }
  return result
}

type Entry = ReturnType<typeof Anser.ansiToJson>[number]

function classesOf({ fg, bg, fg_truecolor: trueFg, bg_truecolor: trueBg, decorations }: Entry): string {
  const [front, back] = [colourName(fg, trueFg), colourName(bg, trueBg)]
  return [
    ...(front === undefined ? [] : [`ansi-${front}`]),
    ...(back === undefined ? [] : [`ansi-on-${back}`]),
    ...decorations.filter((name) => DECORATIONS.has(name)).map((name) => `ansi-${name}`),
  ].join(' ')
}

/** One of eight names, however the colour was given; brightness does not matter where each has to be readable. */
function colourName(name: string | null, trueColour: string | null): string | undefined {
  if (!name) return undefined
  if (name === 'ansi-truecolor') return nearest((trueColour ?? '').split(',').map(Number))
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  if (palette !== undefined) return fromPalette(Number(palette))
  return COLOURS.find((colour) => name.endsWith(colour))
}

/** Entries 16 to 231 are a cube of 6×6×6, the rest greys. */
function fromPalette(index: number): string | undefined {
  if (index < 16) return COLOURS[index % 8]
  if (index >= 232) return index < 244 ? 'black' : 'white'
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40)
  const cube = index - 16
  return nearest([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)])
}

/** By which of red, green and blue are near the strongest of them. */
function nearest(channels: readonly number[]): string | undefined {
  const [red = NaN, green = NaN, blue = NaN] = channels
  const most = Math.max(red, green, blue)
  if (Number.isNaN(most)) return undefined
  if (most - Math.min(red, green, blue) < 40) return most < 128 ? 'black' : 'white'
  const index = [red, green, blue].reduce((sum, value, bit) => (value > most * 0.6 ? sum + 2 ** bit : sum), 0)
  return COLOURS[index]
}
