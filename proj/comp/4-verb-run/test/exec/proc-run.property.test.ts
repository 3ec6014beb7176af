import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { runProgram } from './run-exec.js'

it('arguments reach a program byte for byte, whatever they are', async () => {
  const root = tempDir()
  const argument = fc.oneof(
    fc.string({ unit: 'binary' }), fc.constantFrom('', '\n', `"`, `'`, '\\', '--', '$(id)', '*', '\u0001\u007f'),
  ).map(text => text.replaceAll('\0', ''))
  await fc.assert(fc.asyncProperty(fc.array(argument, { maxLength: 20 }), async args => {
    const format = args.length === 0 ? [] : ['%s\\0', ...args]
    const { stdoutPath } = await runProgram('printf', format.length === 0 ? ['%s', ''] : format, { root })
    expect(readFileSync(stdoutPath).equals(Buffer.from(args.map(text => `${text}\0`).join('')))).toBe(true)
  }), { numRuns: 40 })
})
