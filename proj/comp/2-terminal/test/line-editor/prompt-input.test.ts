import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import xterm from '@xterm/headless'
import { expect, it, onTestFinished } from 'vitest'
import type { Completion } from '../../src/line-editor/line-completion.js'
import { pipedInput, terminalInput, type PromptInput } from '../../src/line-editor/prompt-input.js'

const COLUMNS = 40
const NAMES = ['fs.readFile', 'fs.readRange', 'fs.writeFile']

interface Desk {
  input: PromptInput
  keys: PassThrough
  history: string[]
  /** Row by row, with the place of the cursor. */
  screen(): Promise<string>
}

/** A prompt at a terminal of 40 columns. */
function sitDown(lines: readonly string[] = []): Desk {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: 12, allowProposedApi: true })
  const keys = new PassThrough()
  const history = [...lines]
  const output = {
    columns: COLUMNS, rows: 12, write: (text: string) => terminal.write(text), on: () => undefined, off: () => undefined,
  }
  const input = terminalInput({
    input: keys, output, history: { lines: history, add: (line) => history.push(line) },
    async complete(before): Promise<Completion> {
      await sleep(20)
      const [part = ''] = /[\w.]*$/.exec(before) ?? []
      return { hits: NAMES.filter((name) => name.startsWith(part)), part }
    },
  })
  onTestFinished(() => input.close())
  return {
    input, keys, history,
    async screen() {
      await sleep(100)
      await new Promise<void>((resolve) => terminal.write('', resolve))
      const { active } = terminal.buffer
      const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
      return `${rows.join('\n').trimEnd()} @${active.cursorY},${active.cursorX}`
    },
  }
}

it('hands over what is typed, and shows it in rows that the terminal does not break', async () => {
  const { input, keys, history, screen } = sitDown()
  const given = input.next('hermes> ')
  keys.write('a line that is longer than one row of it')
  expect(await screen()).toBe('hermes> a line that is longer than one \n        row of it @1,17')
  keys.write('\u001b[H>\r')
  expect(await given).toEqual({ kind: 'line', text: '>a line that is longer than one row of it' })
  expect(await screen()).toBe('hermes> >a line that is longer than one\n         row of it @2,0')
  expect(history).toEqual(['>a line that is longer than one row of it'])
})

it('puts one pasted line in, and hands over several; neither presses a key', async () => {
  const { input, keys, screen } = sitDown()
  const given = input.next('hermes> ')
  keys.write('say \u001b[200~a\tword\u001b[201~\u0003\u001b[201~')
  expect(await screen()).toBe('hermes> say a  word @0,19')
  keys.write('\u001b[200~ and \u001b[201~rm it\r')
  keys.write('\nmore\u001b[201~')
  expect(await given).toEqual({ kind: 'paste', text: 'say a  word and rm it\nmore' })
  // The line is empty, and the next prompt has its row.
  void input.next('     …> ')
  expect(await screen()).toBe('     …> @0,8')
})

it('shows lines that were typed ahead when they are taken', async () => {
  const { input, keys, screen } = sitDown()
  keys.write('one\rtwo\nthr')
  expect(await input.next('1> ')).toEqual({ kind: 'line', text: 'one' })
  expect(await input.next('2> ')).toEqual({ kind: 'line', text: 'two' })
  const given = input.next('3> ')
  expect(await screen()).toBe('1> one\n2> two\n3> thr @2,6')
  keys.write('\u0003')
  expect(await given).toEqual({ kind: 'interrupt' })
  expect(await screen()).toBe('1> one\n2> two\n3> ^C @3,0')
  const ended = input.next('4> ')
  keys.write('\u0004')
  expect(await ended).toBeUndefined()
})

it('completes, offers what there is, and keeps what is typed meanwhile', async () => {
  const { input, keys, screen } = sitDown(['fs.read older', 'other'])
  const given = input.next('> ')
  keys.write('fs\t')
  expect(await screen()).toBe('> fs. @0,5')
  keys.write('\t')
  expect(await screen()).toBe('> fs.\nfs.readFile   fs.readRange\nfs.writeFile\n> fs. @3,5')
  keys.write('r\t')
  keys.write('F\t')
  expect(await screen()).toMatch(/> fs\.readFile @3,13$/)
  keys.write('\u007f'.repeat(4))
  // Up goes to what begins alike.
  keys.write('\u001b[A')
  expect(await screen()).toMatch(/> fs\.read older @3,15$/)
  keys.write('\u0015a\tb\r')
  expect(await given).toEqual({ kind: 'line', text: 'a\tb' })
})

it('leaves the terminal to somebody else, and throws away what was typed meanwhile', async () => {
  const { input, keys, screen } = sitDown()
  await input.away(async () => keys.write('typed blindly\r'))
  const given = input.next('> ')
  keys.write('seen\r')
  expect(await given).toEqual({ kind: 'line', text: 'seen' })
  expect(await screen()).toBe('> seen @1,0')
  const ended = input.next('> ')
  input.close()
  expect(await ended).toBeUndefined()
})

it('reads a pipe line by line, whatever ends a line', async () => {
  const keys = new PassThrough()
  const input = pipedInput(keys, () => undefined)
  for (const piece of ['one\r', '\ntwo\n', 'thr', 'ee']) keys.write(piece)
  keys.end()
  const lines = [await input.next(''), await input.next(''), await input.next(''), await input.next('')]
  expect(lines.map((given) => given?.kind === 'line' && given.text)).toEqual(['one', 'two', 'three', false])
})
