import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempDir } from '../../../../test/support/temp-dir.js'
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

it('takes those of a folder that was moved once a link stands in its old place, as it says', async () => {
  const [old, root, there] = ['old', 'new', 'there'].map((name) => join(tempDir(), name)) as [string, string, string]
  for (const path of [root, there]) mkdirSync(path)
  const sessions = { list: async () => [{ id: 'a', root: old }, { id: 'b', root: there }] as SessionInfo[] }
  const how = `${old} is no longer there; if that is this folder, moved: ln -s ${root} ${old}`
  await expect(keptSession(sessions, root, 'a')).rejects.toMatchObject({ hint: how })
  await expect(keptSession(sessions, root, 'b')).rejects.toMatchObject({ hint: `Write --root ${there}.` })
  await expect(keptSession(sessions, root, undefined)).rejects.toMatchObject({
    hint: `None is kept here: leave --resume out, or give its --root. 1 of ${old}: ${how}`,
  })
  symlinkSync(root, old)
  expect(await keptSession(sessions, root, undefined)).toBe('a')
})

it('takes none of another root, and says where it belongs', async () => {
  const sessions = store(['other-1', '20260101'])
  expect(await keptSession(sessions, '/p', undefined)).toBe('20260101')
  await expect(keptSession(sessions, '/p', 'other')).rejects.toMatchObject({
    code: 'INVALID_OPTION', message: 'Conversation other-1 is of another root: /other',
    hint: '/other is no longer there; if that is this folder, moved: ln -s /p /other',
  })
})
