import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeSync } from 'fs-extra/esm'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { UiMethod } from '../../src/kit/index.js'
import { Message, noUi, withExtension, type ExtensionUi } from '../../src/host/index.js'
import { programmedUi, type ProgrammedAnswers } from '../../src/host/programmed-ui.js'
import { PARAMS } from '../../src/host/message-schemas.js'

const root = fileURLToPath(new URL('../../../../..', import.meta.url))
const examples = join(root, 'examples', 'extensions')
const answer = readFileSync(join(root, 'test-data', 'extensions', 'answer.md'), 'utf8')
const asked = new Set<string>()

/** Runs one command of an example on the answer. */
async function run(command: readonly string[], name: string, answers: ProgrammedAnswers, cwd: string) {
  const message = new Message({ text: answer })
  const methods: UiMethod[] = []
  const programmed = programmedUi(answers, noUi('this is a test'))
  const ui: ExtensionUi = {
    async request(method, params, context) {
      methods.push(method)
      return programmed.request(method, params, context)
    },
  }
  for (const method of ['get', 'set', 'patch'] as const) {
    const original = message[method].bind(message) as (params: never) => never
    Object.defineProperty(message, method, { value: (params: never) => {
      asked.add(`editor/${method}Message`)
      return original(params)
    } })
  }
  const options = { name: 'example', command, cwd, root: cwd, env: process.env, message, ui }
  const warnings: string[] = []
  const outcome = await withExtension(options, new AbortController().signal, line => warnings.push(line), async host => host.execute(name))
  for (const method of methods) asked.add(method)
  expect(warnings).toEqual([])
  return { ...outcome, text: message.text }
}

/** The example in TypeScript: checked by tsc against the sources of hermes, and compiled, with hermes installed. */
function compiled(directory: string): string[] {
  mkdirSync(join(directory, 'node_modules'), { recursive: true })
  symlinkSync(root, join(directory, 'node_modules', 'hermes'), 'junction')
  writeFileSync(join(directory, 'relocate.mts'), readFileSync(join(examples, 'relocate.mts')))
  const [, shown = ''] = /```ts\n(import \{ defineExtension \}[^`]*?note_change[\s\S]*?)```/.exec(readFileSync(join(root, 'docs', 'extensions.md'), 'utf8')) ?? []
  writeFileSync(join(directory, 'changes.mts'), shown)
  const packages = join(root, 'proj', 'node_modules')
  const options = {
    module: 'NodeNext', target: 'ES2023', lib: ['ESNext'], strict: true, exactOptionalPropertyTypes: true, noEmit: true,
    skipLibCheck: true, types: ['node'], typeRoots: [join(packages, '@types')], paths: { 'hermes/extension': [join(root, 'proj', 'src', 'extension.ts')] },
  }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['relocate.mts', 'changes.mts'] }))
  execFileSync(process.execPath, [join(packages, 'typescript', 'bin', 'tsc'), '-p', directory], { stdio: 'pipe' })
  const { outputText } = ts.transpileModule(readFileSync(join(directory, 'relocate.mts'), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
  })
  writeFileSync(join(directory, 'relocate.mjs'), outputText)
  return [process.execPath, join(directory, 'relocate.mjs')]
}

describe.skipIf(process.platform === 'win32')('the examples', () => {
  let home = ''
  let inTypeScript: string[] = []
  const inPython = ['python3', join(examples, 'tidy.py')]
  beforeAll(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-example-')))
    inTypeScript = compiled(home)
  }, 300_000)
  afterAll(() => removeSync(home))

  it('in TypeScript relocates an answer and shows it as a page', async () => {
    const directory = tempDir()
    const program = inTypeScript
    const moved = await run(program, 'relocate', {
      'ui/selectDirectory': [{ path: '/srv/project' }], 'ui/showConfirm': [{ confirmed: true }],
    }, directory)
    expect(moved).toMatchObject({ success: true, message: '2 paths changed' })
    expect(moved.text).toBe(answer.replaceAll('/workspace/', '/srv/project/'))
    expect(await run(program, 'relocate', { 'ui/selectDirectory': [{ path: null }] }, directory)).toMatchObject({ text: answer, message: 'nothing was chosen' })
    expect(await run(program, 'preview', {
      'ui/openWindow': [{ windowId: 'w1' }], 'ui/showConfirm': [{ confirmed: true }], 'ui/closeWindow': [{ success: true }],
    }, directory)).toMatchObject({ success: true, text: answer })
    const alone = await run(program, 'relocate', {}, directory)
    expect(alone).toMatchObject({ success: false, text: answer })
    expect(alone.message).toContain('there is no user to ask')
  })

  it('in Python mends, gathers, loads and keeps answers', async () => {
    const directory = tempDir()
    const program = inPython
    writeFileSync(join(directory, 'more.md'), 'More: é\n')
    const more = join(directory, 'more.md')
    const mended = await run(program, 'mend', { 'ui/showMessage': [{ acknowledged: true }] }, directory)
    expect(mended).toMatchObject({ success: true, message: 'mended', text: answer.replace('#! sham', '#!SHAM') })
    expect((await run(program, 'gather', { 'ui/openFiles': [{ paths: [more, more] }] }, directory)).text).toBe(`${answer.trimEnd()}\n\nMore: é\n\nMore: é\n`)
    expect((await run(program, 'load', { 'ui/openFile': [{ path: more }] }, directory)).text).toBe('More: é\n')
    await run(program, 'keep', { 'ui/saveFile': [{ path: join(directory, 'kept.md') }] }, directory)
    expect(readFileSync(join(directory, 'kept.md'), 'utf8')).toBe(answer)
  })

  it('make every request between them', () => {
    expect([...asked].sort()).toEqual(Object.keys(PARAMS).sort())
  })

  it('end when hermes is gone', async () => {
    for (const [program = '', ...args] of [inPython, inTypeScript]) {
      const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
      const ended = once(child, 'exit')
      child.stdin.end()
      expect(await ended).toEqual([expect.any(Number), null])
    }
  })
})
