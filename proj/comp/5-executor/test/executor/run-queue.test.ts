import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { RunQueue } from '../../src/executor/run-queue.js'

it('lets nobody pass who waits in front, also where one between has left', async () => {
  const queue = new RunQueue()
  const order: string[] = []
  let end: () => void = () => undefined
  const first = queue.run('root', new AbortController().signal, () => new Promise<void>((resolve) => { end = resolve }))
  const leaving = new AbortController()
  const second = queue.run('root', leaving.signal, async () => { order.push('second') })
  leaving.abort()
  await expect(second).rejects.toMatchObject({ code: 'CANCELLED' })
  const third = queue.run('root', new AbortController().signal, async () => { order.push('third') })
  await setImmediate()
  order.push('first')
  end()
  await Promise.all([first, third])
  expect(order).toEqual(['first', 'third'])
})

it('lets others go first while a run waits for its user, and has its turn again after them', async () => {
  const queue = new RunQueue()
  const order: string[] = []
  const { signal } = new AbortController()
  const first = queue.run('root', signal, async (aside) => {
    order.push('asks')
    await aside(async () => second)
    order.push('goes on')
  })
  const second = queue.run('root', signal, async () => { order.push('passes') })
  const elsewhere = queue.run('other', signal, async () => { order.push('elsewhere') })
  await Promise.all([first, elsewhere])
  expect(order.toSorted()).toEqual(['asks', 'elsewhere', 'goes on', 'passes'])
  expect(order.indexOf('passes')).toBeLessThan(order.indexOf('goes on'))
})

it('refuses a cancelled run in the words of whoever keeps the queue', async () => {
  const queue = new RunQueue(() => new RangeError('not now'))
  await expect(queue.run('root', AbortSignal.abort(), async () => 1)).rejects.toThrow(RangeError)
  expect(await queue.run('root', new AbortController().signal, async () => 2)).toBe(2)
})
