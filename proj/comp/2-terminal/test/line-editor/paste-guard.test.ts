import { spawn } from 'node:child_process'
import fc from 'fast-check'
import { expect, it, vi, onTestFinished } from 'vitest'
import { PasteGuard } from '../../src/line-editor/paste-guard.js'

const START = '\u001b[200~'
const END = '\u001b[201~'

function listen() {
  const heard = { keys: '', pastes: [] as string[] }
  const guard = new PasteGuard({
    keys: (text) => { heard.keys += text }, paste: (text) => heard.pastes.push(text),
  })
  return { guard, heard }
}

function useClock(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

it('takes what is pasted out of the keys, wherever the pieces are cut', () => {
  useClock()
  fc.assert(fc.property(
    fc.array(fc.record({
      keys: fc.constantFrom('a', '\r', '\t', '\u001b[A', '\u001b[2~', 'é', '\u001b'),
      pasted: fc.option(fc.constantFrom('x', 'b\rc\td', '\u001b[20', '\r\n', `y${END}\r\u0003`, `${END}${START}z`)),
    }), { maxLength: 5 }),
    fc.array(fc.nat(40), { maxLength: 6 }),
    (parts, cuts) => {
      const { guard, heard } = listen()
      for (const { keys, pasted } of parts) {
        let rest = keys + (pasted === null ? '' : `${START}${pasted}${END}`)
        for (const cut of cuts) {
          guard.push(rest.slice(0, cut))
          rest = rest.slice(cut)
        }
        guard.push(rest)
        // Nobody types right behind a paste.
        vi.advanceTimersByTime(100)
      }
      expect(heard.keys).toBe(parts.map((part) => part.keys).join(''))
      expect(heard.pastes).toEqual(parts.flatMap(({ pasted }) =>
        pasted?.replaceAll(/\u001b\[20[01]~/g, '').replaceAll(/\r\n?/g, '\n') ?? []))
    },
  ))
})

it('a pasted text that ends its paste itself presses no key, and nothing of it is lost', () => {
  useClock()
  const { guard, heard } = listen()
  guard.push(`a${START}one\ntwo\n${END}\r`)
  vi.advanceTimersByTime(40)
  // In the next piece, and with marks as if a second paste came.
  guard.push(`rm it\r${START}three\n${END}${END}`)
  expect(heard).toEqual({ keys: 'a', pastes: [] })
  vi.advanceTimersByTime(100)
  expect(heard).toEqual({ keys: 'a', pastes: ['one\ntwo\n\nrm it\nthree\n'] })
  guard.push('\r')
  expect(heard.keys).toBe('a\r')
})

it('keeps a line break in one piece that came in two', () => {
  useClock()
  const { guard, heard } = listen()
  for (const piece of [START, 'one\r', '\ntwo\r', END]) guard.push(piece)
  vi.advanceTimersByTime(100)
  expect(heard.pastes).toEqual(['one\ntwo\n'])
})

it('tells of a paste that is under way when nobody reads any more, and of its rest as pasted', () => {
  useClock()
  const { guard, heard } = listen()
  guard.push(`${START}one\r`)
  guard.pause()
  expect(heard.pastes).toEqual(['one\n'])
  vi.advanceTimersByTime(1000)
  guard.resume()
  guard.push(`two\r${END}`)
  vi.advanceTimersByTime(100)
  guard.push('b')
  expect(heard).toEqual({ keys: 'b', pastes: ['one\n', 'two\n'] })
})

it('takes for the end of a paste no silence in which this process was busy', async () => {
  const { guard, heard } = listen()
  const program = spawn(process.execPath, ['-e', `
    process.stdout.write('${START}one${END}')
    setTimeout(() => process.stdout.write('rm it\\r'), 20)
  `])
  let isFirst = true
  program.stdout.on('data', (piece: Buffer) => {
    guard.push(piece.toString())
    if (!isFirst) return
    isFirst = false
    for (const until = performance.now() + 500; performance.now() < until;) { /* busy */ }
  })
  await vi.waitFor(() => expect(heard.pastes).not.toEqual([]), { timeout: 10_000 })
  expect(heard).toEqual({ keys: '', pastes: ['onerm it\n'] })
})
