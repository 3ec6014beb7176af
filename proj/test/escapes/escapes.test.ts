import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleForNode } from '../support/bundle.js'
import { ESCAPES } from './escapes.js'
import { Stage } from './stage.js'

const source = fileURLToPath(new URL('./run-commands.ts', import.meta.url))

/** Ways out of the sandbox, each tried in it and without it: a try that fails without it would prove nothing. */
describe.skipIf(process.platform !== 'linux')('a command, as an unprivileged user,', () => {
  let directory = ''
  let program = ''
  beforeAll(async () => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-escapes-')))
    chmodSync(directory, 0o755)
    program = await bundleForNode(source, directory)
    chmodSync(program, 0o644)
  }, 60_000)
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  for (const escape of ESCAPES) {
    it.each([['bwrap', false], ['none', true]] as const)(`${escape.name}: sandbox %s, escaped %s`, async (sandbox, expected) => {
      const stage = new Stage()
      await escape.prepare?.(stage)
      const results = await stage.run(program, escape.answers(stage), { ...escape.options, sandbox })
      for (const { results: [result], fatalError } of results) {
        expect(fatalError).toBeUndefined()
        expect(result?.data).toMatchObject({ sandbox })
      }
      expect(await escape.escaped(stage, results), JSON.stringify(results, null, 1)).toBe(expected)
    })
  }
})
