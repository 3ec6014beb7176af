import { describe, expect, it } from 'vitest'
import type { ConfirmationRequest, UserInterface, UserQuestion } from '../../../0-contracts/src/index.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { contextFor, loadVerb, runVerb } from '../../../5-executor/test/verbs/golden-harness.js'

function withAnswers(answer: unknown, confirmed: unknown = true) {
  const asked: (UserQuestion | ConfirmationRequest)[] = []
  const ui = {
    ask: async (question: UserQuestion) => (asked.push(question), answer),
    confirm: async (request: ConfirmationRequest) => (asked.push(request), confirmed),
  } as UserInterface
  return { asked, context: { ...contextFor(tempDir(), 'disk'), ui } }
}

describe('ask_user', () => {
  it('hands over the question and the answer', async () => {
    const { asked, context } = withAnswers('b')
    const args = { question: 'Which?', options: ['a', 'b'], default_option: 'a' }
    expect(await runVerb('ask_user', args, context)).toEqual({ data: { answer: 'b' } })
    expect(await runVerb('ask_user', { question: 'What?' }, context)).toEqual({ data: { answer: 'b' } })
    expect(asked).toEqual([{ question: 'Which?', options: ['a', 'b'], defaultOption: 'a' }, { question: 'What?' }])
  })

  it.each(['c', undefined, 1])('takes no answer beside the options: %s', async answer => {
    const { context } = withAnswers(answer)
    expect(await runVerb('ask_user', { question: 'Which?', options: ['a', 'b'] }, context)).toMatchObject({
      code: 'NO_USER', message: 'ask_user: the answer is none of the options',
    })
  })

  it.each([
    [{ options: [] }, 'ask_user: options is empty'],
    [{ options: ['a', 'a'] }, 'ask_user: options must differ and hold text'],
    [{ options: ['a', ' '] }, 'ask_user: options must differ and hold text'],
    [{ options: ['a', 'b'], default_option: 'c' }, "ask_user: default_option 'c' is none of the options"],
  ])('refuses %j', async (args, message) => {
    const { asked, context } = withAnswers('a')
    expect(await runVerb('ask_user', { question: 'Which?', ...args }, context)).toMatchObject({
      code: 'INVALID_PARAMETER', message,
    })
    expect(asked).toEqual([])
  })
})

describe('confirm_action', () => {
  it.each([[true, true], [false, false], ['yes', false], [null, false]])('answered %s is %s', async (said, confirmed) => {
    const { asked, context } = withAnswers('', said)
    const args = { action_description: 'Drop the table', destructive: true }
    expect(await runVerb('confirm_action', args, context)).toEqual({ data: { confirmed } })
    expect(asked).toEqual([{ description: 'Drop the table', destructive: true }])
  })
})

describe.each(['ask_user', 'confirm_action'])('%s', name => {
  it('without a user fails, for each example', async () => {
    const { examples } = await loadVerb(name)
    for (const example of examples) {
      expect(await runVerb(name, example as object, contextFor(tempDir(), 'disk'))).toMatchObject({
        code: 'NO_USER', message: `${name}: there is no user to ask`, hint: expect.any(String) as string,
      })
    }
  })

  it.each([
    [new TypeError('no channel'), 'no channel'], ['gone', 'gone'], [undefined, 'it threw undefined'],
    [Object.create(null), 'it threw object'],
  ])('a program that answers for the user and throws %o is no defect of hermes', async (thrown, problem) => {
    const { examples } = await loadVerb(name)
    const throws = async () => Promise.reject(thrown)
    const context = { ...contextFor(tempDir(), 'disk'), ui: { ask: throws, confirm: throws } }
    expect(await runVerb(name, examples[0] as object, context)).toMatchObject({
      code: 'NO_USER', message: `${name}: the program that answers for the user failed: ${problem}`,
    })
  })

  it('what such a program throws once the run is cancelled is the cancellation', async () => {
    const { examples } = await loadVerb(name)
    const throws = async () => Promise.reject(new DOMException('aborted', 'AbortError'))
    const context = { ...contextFor(tempDir(), 'disk'), ui: { ask: throws, confirm: throws }, signal: AbortSignal.abort() }
    expect(await runVerb(name, examples[0] as object, context)).toMatchObject({ code: 'CANCELLED' })
  })

  it('answers each example', async () => {
    const { examples } = await loadVerb(name)
    for (const example of examples) {
      expect(await runVerb(name, example as object, withAnswers('sqlite').context)).toHaveProperty('data')
    }
  })
})
