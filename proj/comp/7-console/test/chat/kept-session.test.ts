import { expect, it } from 'vitest'
import type { SessionInfo } from '../../../6-agent/src/agent/index.js'
import { keptSession } from '../../src/chat/index.js'

const store = (ids: readonly string[]) => ({
  list: async () => ids.map((id) => ({ id, root: id.startsWith('o') ? '/other' : '/p' }) as SessionInfo),
})

it('goes on with the last conversation, or with the one that is named', async () => {
  const sessions = store(['20260102-a', '20260101-b', '20260101'])
  expect(await keptSession(sessions, '/p', undefined)).toBe('20260102-a')
  expect(await keptSession(sessions, '/p', '20260101')).toBe('20260101')
  expect(await keptSession(sessions, '/p', '20260101-')).toBe('20260101-b')
  await expect(keptSession(sessions, '/p', 'x\u001b[2J')).rejects.toMatchObject({
    code: 'INVALID_OPTION', message: 'No conversation of this root is kept as x\\x1b[2J',
    hint: 'The last ones: 20260102-a, 20260101-b, 20260101; /resume in a chat lists them all.',
  })
  await expect(keptSession(store([]), '/p', undefined)).rejects.toMatchObject({
    message: 'There is no conversation of this root to go on with',
    hint: 'None is kept here: leave --resume out, or give its --root.',
  })
})

it('takes none of another root, and says where it belongs', async () => {
  const sessions = store(['other-1', '20260101'])
  expect(await keptSession(sessions, '/p', undefined)).toBe('20260101')
  await expect(keptSession(sessions, '/p', 'other')).rejects.toMatchObject({
    code: 'INVALID_OPTION', message: 'Conversation other-1 is of another root: /other', hint: 'Write --root /other.',
  })
})
