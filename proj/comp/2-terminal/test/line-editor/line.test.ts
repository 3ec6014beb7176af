import { expect, it } from 'vitest'
import { edit, emptyLine, insert, type Key, type Line } from '../../src/line-editor/line.js'

const CTRL = (name: string): Key => ({ name, ctrl: true })
const META = (name: string): Key => ({ name, meta: true })
const KEY = (name: string): Key => ({ name })

/** The line with `|` at the cursor. */
function after(keys: readonly Key[], text: string, line = emptyLine([])): string {
  const typed = keys.reduce<Line>((one, key) => edit(one, undefined, key), insert(line, text))
  return `${typed.text.slice(0, typed.cursor)}|${typed.text.slice(typed.cursor)}`
}

it.each<[does: string, keys: Key[], text: string, line: string]>([
  ['goes to both ends', [CTRL('a')], 'one\ntwo', 'one\n|two'], ['of a line', [CTRL('a'), CTRL('e')], 'one\ntwo', 'one\ntwo|'],
  ['goes by words', [META('b'), META('b')], 'a bc de', 'a |bc de'], ['and back', [KEY('home'), META('f')], 'a bc', 'a| bc'],
  ['goes up in a text', [KEY('up')], 'one\ntwo', 'one|\ntwo'],
  ['rubs out what a reader takes for a character', [KEY('backspace')], 'e\u0301👨‍👩‍👧', 'e\u0301|'],
  ['erases', [KEY('left'), KEY('delete')], 'ab', 'a|'], ['a word', [CTRL('w')], 'ab cd ', 'ab |'],
  ['a word behind', [CTRL('a'), META('d')], 'ab cd', '| cd'], ['to the beginning', [KEY('left'), CTRL('u')], 'abc', '|c'],
  ['to the end', [CTRL('a'), CTRL('k')], 'abc', '|'],
  ['puts back what was erased', [CTRL('w'), CTRL('a'), CTRL('y')], 'ab cd', 'cd|ab '],
  ['takes back steps', [CTRL('w'), KEY('backspace'), { sequence: '\u001f' }, { sequence: '\u001f' }], 'ab cd', 'ab cd|'],
  ['takes back nothing where there is nothing', [{ sequence: '\u001f' }, { sequence: '\u001f' }], 'ab', '|'],
  ['begins a further line', [META('return')], 'ab', 'ab\n|'], ['does nothing by other keys', [CTRL('x'), KEY('f5')], 'ab', 'ab|'],
])('%s', (_, keys, text, line) => {
  expect(after(keys, text)).toBe(line)
})

it('leaves out what a terminal would act on', () => {
  expect(insert(emptyLine([]), 'a\r\nb\rc\td\u001b[31m\u0007\u009b').text).toBe('a\nb\nc    d[31m')
})

const LINES = ['new one', 'older', 'newest']

it('goes through the lines typed before, and back to what was being typed', () => {
  expect(after([KEY('up')], 'ne', emptyLine(LINES))).toBe('newest|')
  expect(after([KEY('up'), KEY('up'), KEY('up'), KEY('up')], 'ne', emptyLine(LINES))).toBe('new one|')
  expect(after([KEY('left'), KEY('up'), KEY('up'), KEY('down'), KEY('down')], 'ne', emptyLine(LINES))).toBe('n|e')
})

it('goes through those that begin alike, where that is wanted', () => {
  const line = emptyLine(LINES, 'beginning')
  expect(after([KEY('up'), KEY('up')], 'ne', line)).toBe('new one|')
  expect(after([KEY('up'), KEY('up'), KEY('up')], 'ne', line)).toBe('new one|')
  expect(after([KEY('up'), KEY('up')], '', line)).toBe('older|')
  expect(after([KEY('up')], 'nothing', line)).toBe('nothing|')
})

it('goes with Ctrl-R to the last lines that hold what was typed', () => {
  expect(after([CTRL('r')], 'ew', emptyLine(LINES))).toBe('newest|')
  expect(after([CTRL('r'), CTRL('r')], 'ew', emptyLine(LINES))).toBe('new one|')
  expect(after([CTRL('r'), CTRL('r'), CTRL('r')], 'ew', emptyLine(LINES))).toBe('new one|')
  expect(after([CTRL('r'), CTRL('r'), KEY('down'), KEY('down'), KEY('down')], 'ew', emptyLine(LINES))).toBe('ew|')
  expect(after([CTRL('r')], 'nowhere', emptyLine(LINES))).toBe('nowhere|')
  expect(after([CTRL('r')], '', emptyLine(LINES))).toBe('newest|')
})
