import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { dialogueUi, Extensions, type DialogueHandlers, type ExtensionsOptions } from '../../src/index.js'

const pointer = fileURLToPath(new URL('../../../../../test-data/extensions/pointer.mjs', import.meta.url))
const scripted = fileURLToPath(new URL('scripted-extension.mjs', import.meta.url))

function made(run: string, options: Partial<ExtensionsOptions> & { handlers?: DialogueHandlers } = {}) {
  const { handlers, ...others } = options
  return new Extensions({
    root: tempDir(), extensions: [{ name: 'pointer', command: [process.execPath, pointer], run }],
    ...(handlers && { ui: dialogueUi(handlers) }), ...others,
  })
}

describe('extensions of a program that runs answers by itself', () => {
  it('leave a text, and say who changed what', async () => {
    await using extensions = made('point')
    const both = await Promise.all(['see /old/a', 'see /w/b'].map(async text => extensions.rewrite(text)))
    expect(both).toMatchObject([
      { text: 'see /w/a', original: 'see /old/a', rewrites: [{ extension: 'pointer', version: '1.2', command: 'point' }] },
      { text: 'see /w/b', rewrites: [], notes: ['extension pointer: left the text as it was'] },
    ])
    expect(both[0]?.rewrites[0]?.diff).toContain('-see /old/a\n')
  })

  it('ask the program: what it answers counts, what it throws they are told, and what it does not show is refused', async () => {
    const asked: string[] = []
    await using agreeing = made('ask', { handlers: {
      'ui/showConfirm': ({ message }, { extension }) => {
        asked.push(`${extension}: ${message}`)
        return { confirmed: true }
      },
    } })
    expect((await agreeing.rewrite('/old/')).text).toBe('/w/')
    expect(asked).toEqual(['pointer: Point to /w?'])
    const failing: DialogueHandlers = { 'ui/showConfirm': async () => Promise.reject(new Error('the window is closed')) }
    for (const [handlers, said] of [
      [failing, 'ui/showConfirm: the window is closed'],
      [{ 'ui/showConfirm': () => ({ confirmed: 'yes' }) as never }, 'ui/showConfirm: the answer that came is none'],
      [{}, 'the program that runs this extension does not show it'],
    ] as const) {
      await using extensions = made('ask', { handlers })
      await expect(extensions.rewrite('/old/')).rejects.toMatchObject({ code: 'EXTENSION_FAILED', message: expect.stringContaining(said) })
    }
  })

  it('stop: what is under way is cancelled, nothing is left, and nothing is started afterwards', async () => {
    const extensions = made('ask', { handlers: {
      'ui/showConfirm': async () => {
        void extensions.stop()
        return new Promise(() => undefined)
      },
    } })
    const stopped = { code: 'CANCELLED', message: 'The extensions have been stopped' }
    await expect(extensions.rewrite('/old/')).rejects.toMatchObject({ code: 'CANCELLED' })
    await extensions.stop()
    await expect(extensions.rewrite('/old/')).rejects.toMatchObject(stopped)
  })

  it('end for a signal, before and after they begin', async () => {
    const controller = new AbortController()
    await using extensions = made('ask', { handlers: {
      'ui/showConfirm': async () => {
        controller.abort()
        return new Promise(() => undefined)
      },
    } })
    for (let times = 0; times < 2; times++) {
      await expect(extensions.rewrite('/old/', { signal: controller.signal })).rejects.toMatchObject({ code: 'CANCELLED' })
    }
  })

  it('tell what they log, and what they did wrong at their end', async () => {
    const [directory, lines, logged]: [string, string[], string[]] = [tempDir(), [], []]
    const [script, log] = [join(directory, 'steps.jsonl'), join(directory, 'received.jsonl')]
    writeFileSync(script, [
      { await: 'initialize' }, { answer: 'initialize', result: {} }, { await: 'command/execute' }, { log: 'at work\n' },
      { await: 'shutdown' }, { send: { id: 1, method: 'editor/setMessage', params: { message: 'late' } } },
      { await: { id: 1 } }, { answer: 'shutdown', result: null }, { exit: 0 },
    ].map(step => `${JSON.stringify(step)}\n`).join(''))
    const extensions = new Extensions({
      root: directory, extensions: [{ name: 'x', command: [process.execPath, scripted, script, log], run: 'go' }],
      quietMs: 300, onLog: text => logged.push(text), onWarning: line => lines.push(line),
    })
    expect((await extensions.rewrite('old')).text).toBe('old')
    await extensions.stop()
    expect([logged.join(''), lines]).toEqual(['at work\n', [expect.stringContaining("Extension 'x' changed the answer when its command had ended")]])
  })

  it('are refused at once where the options are none', async () => {
    const wrong = (options: object): unknown => {
      try {
        return new Extensions(options as ExtensionsOptions)
      } catch (error) {
        return (error as Error).message
      }
    }
    expect([
      {}, { extensions: [] }, { extensions: [3] }, { extensions: ['a'], ui: {} }, { extensions: ['a'], limitms: 1 },
      { extensions: ['a'], root: '/no/such' }, { extensions: ['a'], quietMs: 0 },
    ].map(wrong)).toEqual([
      'Invalid option extensions: Invalid key: Expected "extensions" but received undefined',
      'Invalid option extensions: Invalid length: Expected >=1 but received 0',
      'Invalid option extensions.0: Expected NAME, NAME:COMMAND or { name, command }',
      'Invalid option ui: Expected dialogueUi({ … }), or an object with request', 'Unknown option: limitms',
      'No such directory: /no/such', 'Invalid option quietMs: Invalid value: Expected >=1 but received 0',
    ])
    await using extensions = made('point')
    await expect(extensions.rewrite(3 as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    await expect(extensions.rewrite('', { filepath: 'x' } as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})
