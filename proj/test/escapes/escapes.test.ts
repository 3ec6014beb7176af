import { describe, expect, it } from 'vitest'
import { useProgram } from '../support/program.js'
import { ESCAPES } from './escapes.js'
import { Stage } from './stage.js'

const source = new URL('./run-commands.ts', import.meta.url)

/** Ways out of the sandbox, each tried in it and without it: a try that fails without it would prove nothing. */
describe.skipIf(process.platform !== 'linux')('a command, as an unprivileged user,', () => {
  const program = useProgram(source)

  for (const escape of ESCAPES) {
    it.each([['bwrap', false], ['none', true]] as const)(`${escape.name}: sandbox %s, escaped %s`, async (sandbox, expected) => {
      const stage = new Stage()
      await escape.prepare?.(stage)
      const results = await stage.run(program.path, escape.answers(stage), { ...escape.options, sandbox })
      for (const { results: [result], fatalError } of results) {
        expect(fatalError).toBeUndefined()
        expect(result?.data).toMatchObject({ sandbox })
      }
      expect(await escape.escaped(stage, results), JSON.stringify(results, null, 1)).toBe(expected)
    })
  }
})
