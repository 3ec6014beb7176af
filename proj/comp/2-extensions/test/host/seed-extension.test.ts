import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Message, noUi, withExtension } from '../../src/host/index.js'
import { programmedUi } from '../../src/host/programmed-ui.js'

const program = fileURLToPath(new URL('../../test-data/host/seed_extension.py', import.meta.url))

it.skipIf(process.platform === 'win32')('talks to an extension that knows the text of seed 001 alone, byte by byte', async () => {
  const root = tempDir()
  const kept = join(root, 'kept')
  const message = new Message({ text: 'Grüße 🦉\n' })
  const [warnings, log]: [string[], string[]] = [[], []]
  const ui = programmedUi({
    'ui/openFile': [{ path: null }], 'ui/openFiles': [{ paths: null }], 'ui/saveFile': [{ path: null }], 'ui/selectDirectory': [{ path: null }],
  }, noUi('this is a test'))
  const options = {
    name: 'seed', command: ['python3', program, kept], cwd: root, root, env: process.env, message, ui, onLog: (text: Buffer) => log.push(text.toString()),
  }
  const outcome = await withExtension(options, new AbortController().signal, (line) => warnings.push(line), async (host) => (
    host.execute('go', { quietMs: 1000 })
  ))
  expect({ outcome, warnings, text: message.text }).toEqual({ outcome: { success: true }, warnings: [], text: 'gelesen: ü🦉' })
  // What needs params has an error that says so, by its own id.
  expect(JSON.parse(log.join(''))).toEqual({
    'editor/getMessage': { message: 'Grüße 🦉\n', hasFile: false, revision: 1 }, 'editor/patchMessage': -32602, 'editor/setMessage': -32602,
    'ui/openWindow': -32602, 'ui/closeWindow': -32602, 'ui/showMessage': -32602, 'ui/showConfirm': -32602,
    'ui/openFile': { path: null }, 'ui/openFiles': { paths: null }, 'ui/saveFile': { path: null }, 'ui/selectDirectory': { path: null },
  })
  const bytes = readFileSync(kept)
  const first = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { apiVersion: '1.0', root } })
  expect(bytes.toString().startsWith(`Content-Length: ${Buffer.byteLength(first)}\r\n\r\n${first}Content-Length: `)).toBe(true)
  expect(bytes.toString()).toContain('Content-Length: 91\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{"message":"Grüße 🦉\\n","hasFile":false,"revision":1}}')
  expect(bytes.toString().endsWith('Content-Length: 74\r\n\r\n{"jsonrpc":"2.0","id":2,"method":"shutdown","params":{"reason":"closing"}}')).toBe(true)
})
