import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
import type { UserInterface } from '../../../0-contracts/src/index.js'
import { execute } from '../../src/executor/index.js'

const TEXT = '<tool_call>{"name": "ask_user", "arguments": {"question": "Well?"}}</tool_call>\n'
  + '<tool_call>{"name": "confirm_action", "arguments": {"action_description": "Remove the directory"}}</tool_call>\n'

function userWho(asked: string[]): UserInterface {
  return {
    ask: async ({ question }) => (asked.push(question), 'fine'),
    confirm: async ({ description }) => (asked.push(description), true),
  }
}

it('hands questions to the user interface', async () => {
  const asked: string[] = []
  const { results } = await execute(TEXT, { root: tempDir(), ui: userWho(asked) })
  expect(results.map(({ data }) => data)).toEqual([{ answer: 'fine' }, { confirmed: true }])
  expect(asked).toEqual(['Well?', 'Remove the directory'])
})

it('asks nobody in a dry run', async () => {
  const asked: string[] = []
  const { results, executedActions } = await execute(TEXT, { root: tempDir(), ui: userWho(asked), dryRun: true })
  expect(results).toMatchObject([{ success: true, hint: 'Dry run: not started.' }, { success: true }])
  expect({ asked, executedActions }).toEqual({ asked: [], executedActions: 0 })
})

it('says so when there is no user', async () => {
  const { results } = await execute(TEXT, { root: tempDir() })
  expect(results.map(({ code }) => code)).toEqual(['NO_USER', 'NO_USER'])
})
