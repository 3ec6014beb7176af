import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { withKeys } from '../../src/line-editor/index.js'

/** What comes from `input` while the task listens, after it has discarded. */
async function readAfterDiscarding(
  input: PassThrough | Socket, before: () => void, after: () => void,
): Promise<string> {
  let read = ''
  await withKeys(input, async (discard) => {
    before()
    await discard()
    input.on('data', (piece: Buffer) => { read += String(piece) })
    input.resume()
    after()
    while (!read.endsWith('\r')) await new Promise(setImmediate)
  })
  return read
}

describe('what was typed until a question is drawn', () => {
  it('is discarded when it was typed after the dialogue had begun', async () => {
    const keys = new PassThrough()
    expect(await readAfterDiscarding(keys, () => keys.write('y\r'), () => keys.write('n\r'))).toBe('n\r')
  })

  it.skipIf(process.platform === 'win32')('is discarded when this process had no time to read it', async () => {
    const path = join(tempDir(), 'keys')
    execFileSync('mkfifo', [path])
    const input = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, writable: false })
    const keys = openSync(path, 'w')
    onTestFinished(() => {
      input.destroy()
      closeSync(keys)
    })
    // The system has the key before the time to discard is over, and this process is busy until it is.
    const busy = (): void => void setImmediate(() => {
      writeSync(keys, 'y\r')
      const until = performance.now() + 300
      while (performance.now() < until);
    })
    expect(await readAfterDiscarding(input, busy, () => writeSync(keys, 'n\r'))).toBe('n\r')
  })

  it('is discarded before each question of a dialogue', async () => {
    const keys = new PassThrough()
    const read: string[] = []
    await withKeys(keys, async (discard) => {
      for (const answer of ['one', 'two']) {
        await discard()
        const answered = new Promise<string>((resolve) => { keys.once('data', piece => resolve(String(piece))) })
        keys.resume()
        keys.write(answer)
        read.push(await answered)
        keys.write('typed ahead')
      }
    })
    expect(read).toEqual(['one', 'two'])
  })

  it('Ctrl-C in it ends the dialogue', async () => {
    const keys = new PassThrough()
    let interrupts = 0
    const count = (): void => void interrupts++
    process.on('SIGINT', count)
    onTestFinished(() => void process.off('SIGINT', count))
    const asked: string[] = []
    await expect(withKeys(keys, async (discard) => {
      keys.write('\u0003')
      await discard()
      asked.push('a question')
    })).rejects.toMatchObject({ code: 'CANCELLED' })
    expect([interrupts, asked]).toEqual([1, []])
  })
})
