import { describe, expect, it } from 'vitest'
import { readGoldens } from '../../../../../test/support/goldens.js'
import { judgeFailure } from '../../../src/agent/model/model-failure.js'
import { refusal, ServerError } from '../../../src/agent/model/server-error.js'

const cases = readGoldens(new URL('../../../test-data/agent/model/overflow.cases.md', import.meta.url))

describe('a server that refuses', () => {
  it.each(cases)('$group: $name', ({ fences }) => {
    const [answer, expected] = fences
    const status = /status=(\w+)/.exec(answer?.info ?? '')?.[1]
    const body = answer?.body ?? ''
    const error = status === 'none'
      ? new ServerError(undefined, (JSON.parse(body) as { error: object }).error, new Headers())
      : refusal(Number(status), body, new Headers())
    expect(judgeFailure(error, (text) => text).isTooLong === true ? 'yes' : 'no').toBe(expected?.body)
  })
})
