import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { HermesError, type UserInterface } from '../../../0-contracts/src/index.js'
import { execute, Hermes, type ExecutorOptions } from '../../src/executor/index.js'

const call = (name: string, args: object): string => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>\n`
const DELETE = call('delete_file', { path: 'a.txt' })
const TOLD = 'a function of the program that runs hermes, failed'

function options(given: ExecutorOptions): ExecutorOptions {
  const root = tempDir()
  writeFileSync(join(root, 'a.txt'), 'a\n')
  return { root, policy: false, gitCommit: false, sandbox: 'none', ...given }
}

const asking = (ask: UserInterface['ask']): UserInterface => ({ ask, confirm: async () => true })

it.each<[string, string, ExecutorOptions]>([
  ['approve', DELETE, { approve: () => { throw new TypeError('no such window') } }],
  ['approve', DELETE, { approve: async () => Promise.reject(new TypeError('no such window')) }],
  ['ui.ask', call('ask_user', { question: 'Which?' }), { ui: asking(() => Promise.reject(new TypeError('no such window'))) }],
])('what %s throws is named as that, and only the program gets the error', async (callback, answer, given) => {
  const result = await execute(answer + call('read_file', { path: 'a.txt' }), options(given))
  const [failed, read] = result.results
  expect(failed).toMatchObject({ success: false, code: 'CALLBACK_FAILED', error: `${callback}, ${TOLD}` })
  expect(read?.success).toBe(true)
  expect(result.reply() + JSON.stringify(result.results)).not.toMatch(/no such window|defect of hermes|callbacks\.test/)
  expect(result.thrown).toEqual([{ callback, error: expect.any(TypeError) }])
  expect(String((result.thrown.at(0)?.error as Error | undefined)?.stack)).toContain('callbacks.test')
  expect(JSON.stringify(result)).not.toContain('thrown')
})

it('an error of hermes that a callback throws says itself what the model is told', async () => {
  const result = await execute(DELETE, options({
    approve: () => { throw new HermesError('APPROVAL_DENIED', 'The window was closed', { hint: 'Ask again.' }) },
  }))
  expect(result.results[0]).toMatchObject({ code: 'APPROVAL_DENIED', error: 'The window was closed' })
  expect(result.thrown).toEqual([])
})

it('what the listener of events throws stops the run, and is there as well', async () => {
  const error = new RangeError('too many')
  const result = await execute(DELETE, options({ onEvent: () => { throw error } }))
  expect(result.fatalError).toBe('onEvent threw: RangeError: too many')
  expect(result.thrown).toEqual([{ callback: 'onEvent', error }])
})

it('each run has its own, also where the session was given the function', async () => {
  const hermes = new Hermes(options({ approve: () => { throw new TypeError('first') } }))
  expect((await hermes.execute(DELETE)).thrown).toHaveLength(1)
  expect((await hermes.execute(DELETE, { approve: undefined })).thrown).toHaveLength(1)
  expect((await hermes.execute(DELETE, { approve: () => 'once' })).thrown).toEqual([])
})
