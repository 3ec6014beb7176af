import { expect, it } from 'vitest'
import type { SessionInfo } from '../../../6-agent/src/agent/index.js'
import { keptSession } from '../../src/chat/index.js'

const store = (ids: readonly string[]) => ({
  list: async () => ids.map((id) => ({ id }) as SessionInfo),
})

it('goes on with the last conversation, or with the one that is named', async () => {
  const sessions = store(['20260102-a', '20260101-b', '20260101'])
  expect(await keptSession(sessions, undefined)).toBe('20260102-a')
  expect(await keptSession(sessions, '20260101')).toBe('20260101')
  expect(await keptSession(sessions, '20260101-')).toBe('20260101-b')
  await expect(keptSession(sessions, 'x\u001b[2J')).rejects.toMatchObject({
    code: 'INVALID_OPTION', message: 'No conversation is kept as x\\x1b[2J',
    hint: 'The last ones: 20260102-a, 20260101-b, 20260101; /resume in a chat lists them all.',
  })
  await expect(keptSession(store([]), undefined)).rejects.toMatchObject({
    message: 'There is no conversation to go on with', hint: 'No conversation is kept yet: leave --resume out.',
  })
})
