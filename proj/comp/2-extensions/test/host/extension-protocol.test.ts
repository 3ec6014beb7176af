import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readGoldens } from '../../../../test/support/goldens.js'
import { Checker, type Document } from '../../../../test/support/openrpc.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { fileVerbs } from '../../../5-executor/src/index.js'
import { FILE_METHODS } from '../../src/kit/index.js'
import { extensionProtocol, Message, noUi } from '../../src/host/index.js'
import { programmedUi } from '../../src/host/programmed-ui.js'
import { requestHandlers } from '../../src/host/requests.js'

const document = JSON.parse(readFileSync(fileURLToPath(new URL('../../../../../docs/protocol/extension.openrpc.json', import.meta.url)), 'utf8')) as Document
const checker = new Checker(document)
const sentBy = (side: string): string[] => document.methods.filter((method) => method['x-sent-by'] === side).map(({ name }) => name)

it('is in docs/protocol', async () => {
  expect(extensionProtocol(await fileVerbs())).toEqual(document)
})

it('names every request that hermes answers, and says with what', async () => {
  const root = tempDir()
  const [file, signal] = [join(root, 'a.md'), new AbortController().signal]
  const ui = programmedUi({
    'ui/openWindow': [{ windowId: 'w' }], 'ui/closeWindow': [{ success: false }], 'ui/showMessage': [{ acknowledged: true }],
    'ui/showConfirm': [{ confirmed: true }], 'ui/openFile': [{ path: file }], 'ui/openFiles': [{ paths: [file] }],
    'ui/saveFile': [{ path: null }], 'ui/selectDirectory': [{ path: root }],
  }, noUi('this is a test'))
  const block = '#!SHAM [@three-char-SHA-256: abc]\naction = "file_read"\npath = "/w/a"\n#!END_SHAM_abc\n'
  const message = new Message({ text: block, filePath: file })
  const handlers = requestHandlers({
    extension: 'x', root, signal, begin: () => ({ job: { message, ui }, end: () => undefined }), isReady: () => true,
    files: () => { throw new Error('no verb is called') }, onWindowMessage: () => undefined,
  })
  const wrong: string[] = []
  const called: string[] = []
  const call = async (method: keyof typeof handlers, params: object = {}): Promise<void> => {
    called.push(method)
    wrong.push(...checker.params(method, params, 'extension'))
    const peer = { request: async () => undefined, notify: async () => undefined }
    wrong.push(...checker.result(method, await handlers[method](params, { id: 1, peer, signal })))
  }
  await call('editor/getMessage', { format: 'json' })
  await call('editor/patchMessage', { patches: [{ path: 'abc.path', value: '/w/b' }, { path: 'nobody.path', remove: true }] })
  await call('editor/setMessage', { message: `${block}more`, revision: 2 })
  await call('ui/openWindow', { html: '<p>', title: 'A page' })
  await call('ui/closeWindow', { windowId: 'w' })
  await call('ui/showMessage', { message: 'hello', kind: 'info' })
  await call('ui/showConfirm', { message: 'go on?', buttons: 'okCancel' })
  await call('ui/openFile', { filters: [{ name: 'all', extensions: ['*'] }] })
  await call('ui/openFiles')
  await call('ui/saveFile', { defaultName: 'b.md' })
  await call('ui/selectDirectory', { defaultPath: root })
  expect(wrong).toEqual([])
  // Those about files are in 5-executor/test/own-verbs, with the verbs that they are.
  expect([...called, ...FILE_METHODS].toSorted()).toEqual(Object.keys(handlers).toSorted())
  expect(sentBy('extension').toSorted()).toEqual([...Object.keys(handlers), 'command/finished'].toSorted())
})

it('says what hermes sends: all of it in the conversations that are kept', () => {
  const cases = readGoldens(new URL('../../test-data/host/conversations.cases.md', import.meta.url))
  const lines = cases.flatMap(({ fences }) => fences.filter(({ info }) => info === 'jsonl received').flatMap(({ body }) => body.split('\n')))
  const messages = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { method?: string; params?: object })
  const sent = messages.filter(({ method }) => method !== undefined)
  expect(sent.flatMap(({ method = '', params }) => checker.params(method, params, 'hermes'))).toEqual([])
  expect(sentBy('hermes').filter((name) => name !== 'ui/windowMessage' && name !== 'verb/execute').toSorted()).toEqual([...new Set(sent.map(({ method }) => method))].toSorted())
})
