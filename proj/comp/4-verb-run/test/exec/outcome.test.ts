import { expect, it } from 'vitest'
import { HermesError } from '../../../0-contracts/src/index.js'
import { execData } from '../../src/exec/outcome.js'

function hintFor(stderr: string): string | undefined {
  const outcome = {
    stdout: '', stderr, omittedBytes: 0, exitCode: 1, exitSignal: null, stopped: undefined,
    sandbox: 'none' as const, explain: () => undefined,
  }
  const caller = { verb: 'exec', program: 'bash', limit: { timeoutMs: 1, longestMs: 1 } }
  try {
    execData(caller, { outcome }, {})
  } catch (error) {
    if (error instanceof HermesError) return error.hint
    throw error
  }
  return undefined
}

it('shows the last lines of stderr, or the one that names an error', () => {
  expect(hintFor('one\n\n  two\nthree\nfour\n')).toBe('stderr says: two | three | four')
  expect(hintFor('Traceback:\nValueError: bad\n')).toBe('stderr says: ValueError: bad')
})

// Quadratic work on these would run into the time limit of the test.
it.each(['/dev/stdout ', 'No such device ', '/dev/stdout', 'Error.'])('looks through 1 MiB of %j', words => {
  const stderr = words.repeat(2 ** 20 / words.length)
  expect(hintFor(stderr)).toContain(`stderr says: ${words}`)
  expect(hintFor(`${stderr}\nbash: /dev/stderr: No such device or address`)).toContain('write >&2')
})
