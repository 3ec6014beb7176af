import * as v from 'valibot'
import { expect, it } from 'vitest'
import { exec } from '../../src/exec/exec.js'
import { runExec } from './run-exec.js'

it.each(exec.examples.map(example => [example]))('runs its example %j', async example => {
  expect(v.is(exec.args, example)).toBe(true)
  expect(await runExec(example)).toMatchObject({ exit_code: 0 })
})
