import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { RunQueue } from '../src/run-queue.js'

it('lets nobody pass who waits in front, also where one between has left', async () => {
  const queue = new RunQueue()
  const order: string[] = []
  let end: () => void = () => undefined
  const first = queue.run('root', new AbortController().signal, () => new Promise<void>((resolve) => { end = resolve }))
  const leaving = new AbortController()
  const second = queue.run('root', leaving.signal, async () => { order.push('second') })
  leaving.abort()
  await expect(second).rejects.toMatchObject({ code: -32800 })
  const third = queue.run('root', new AbortController().signal, async () => { order.push('third') })
  await setImmediate()
  order.push('first')
  end()
  await Promise.all([first, third])
  expect(order).toEqual(['first', 'third'])
})
