import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { closingContext } from '../../src/executor/handlers/closing-context.js'
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
