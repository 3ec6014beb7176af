import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { useCli } from '../../../test/support/cli.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { serveStdio, toolCall } from './clients.js'

const cli = useCli()
const pointer = fileURLToPath(new URL('../../../../test-data/extensions/pointer.mjs', import.meta.url))

it('lets extensions of the user rewrite the text, and their dialogues be answered by the client', async () => {
  const home = tempDir()
  const root = join(home, 'root')
  mkdirSync(root)
  mkdirSync(join(home, '.hermes'))
  writeFileSync(join(home, '.hermes', 'config.yaml'), `extensions:\n  pointer: {command: ${process.execPath}, args: ['${pointer}']}\n`)
  const { client } = serveStdio(cli, home)
  await client.sendRequest('initialize', { workspaceRoot: root, rootAliases: ['/w'], capabilities: { dialogues: true }, assetFolders: { recordings: 'recordings' } })
  const asked: unknown[] = []
  let confirmed: unknown = true
  client.onRequest('ui/showConfirm', (params) => { asked.push(params); return { confirmed } })
  const text = toolCall('write_file', { path: '/old/a.txt', content: 'one\n' })

  const run = (extensions: readonly string[]): Promise<unknown> => client.sendRequest('execute', { text, extensions })
  expect(await run(['pointer:ask'])).toMatchObject({ success: true })
  expect(asked).toEqual([{ request: expect.any(Number) as number, extension: 'pointer', message: 'Point to /w?' }])
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n')
  // The recording has what the model wrote, and who changed it.
  const [recording = ''] = readdirSync(join(root, 'recordings'))
  const events = readFileSync(join(root, 'recordings', recording), 'utf8').split('\n')
  expect(events.slice(1, 3).map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { type: 'answer', original: text, text: text.replace('/old', '/w') }, { type: 'rewrite', extension: 'pointer', command: 'ask', version: '1.2' },
  ])
  const replayed = await cli.run(['replay', join('recordings', recording), '--original', '--json'], { cwd: root })
  expect(JSON.parse(replayed.stdout)).toMatchObject({ counts: { 'newly failing': 1 } })

  // Nothing runs where one fails, or is not the user's.
  await expect(run(['pointer:point', 'pointer:die'])).rejects.toMatchObject({ code: -32000, data: { code: 'EXTENSION_FAILED' } })
  await expect(run(['pinter:point'])).rejects.toMatchObject({ code: -32602, data: { hint: 'Did you mean pointer? Extensions: pointer.' } })
  await expect(run(['pointer'])).rejects.toMatchObject({ code: -32602 })
  // What is no answer is none.
  confirmed = 'yes'
  await expect(run(['pointer:ask'])).rejects.toMatchObject({ message: expect.stringContaining("Extension 'pointer'") as string })
  expect(await client.sendRequest('execute', { text, extensions: [], dryRun: true })).toMatchObject({ success: false })
  expect(existsSync(join(root, 'old'))).toBe(false)
})
