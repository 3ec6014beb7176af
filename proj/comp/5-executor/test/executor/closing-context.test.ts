import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { closingContext } from '../../src/executor/handlers/closing-context.js'
import { sandboxWithNews } from '../../src/executor/handlers/sandbox-news.js'
import { contextFor } from '../verbs/golden-harness.js'

it('approves what a listing names without asking the disk, and nothing once the call is over', () => {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), '')
  const context = contextFor(root, 'disk')
  const asked: string[] = []
  const gate = {
    ...context.gate,
    approve: (...args: Parameters<typeof context.gate.approve>) => {
      asked.push(args[0])
      return context.gate.approve(...args)
    },
  }
  let isOver = false
  const requireOpen = (what: string): void => {
    if (isOver) throw new Error(what)
  }
  const waiting = { signal: context.signal, whileAsking: async <T>(asks: () => Promise<T>): Promise<T> => asks() }
  const closing = closingContext({ ...context, gate }, requireOpen, waiting)
  const directory = closing.gate.approve('.', 'read')
  expect(closing.gate.approveEntry?.(directory, 'a.txt', 'read')).toBe(join(directory, 'a.txt'))
  expect(asked).toEqual(['.'])
  isOver = true
  expect(() => closing.gate.approveEntry?.(directory, 'a.txt', 'read')).toThrow(`read ${join(directory, 'a.txt')}`)
})

it('passes on all that a sandbox is asked to admit, whether the program may reach a network too', async () => {
  const context = contextFor(tempDir(), 'disk')
  const admitted: unknown[][] = []
  const sandbox: typeof context.sandbox = {
    ...context.sandbox,
    get local() {
      return sandbox
    },
    admit: async (...args) => {
      admitted.push(args)
      return 'unshare'
    },
  }
  const waiting = { signal: context.signal, whileAsking: async <T>(asks: () => Promise<T>): Promise<T> => asks() }
  const told = sandboxWithNews(sandbox, () => undefined)
  const closing = closingContext({ ...context, sandbox: told }, () => undefined, waiting)
  await closing.sandbox.local.admit('get_definition', 'pyright', context.approve, false)
  expect(admitted).toEqual([['get_definition', 'pyright', context.approve, false]])
})
