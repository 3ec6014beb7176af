import { expect, it } from 'vitest'
import { queuePlace } from '../../src/jobs/index.js'

it.each<[written: string, place: object]>([
  ['redis://host', { name: 'redis://host:6379/0', host: 'host', port: 6379, db: 0, isEncrypted: false }],
  ['redis://host:1/3', { name: 'redis://host:1/3', host: 'host', port: 1, db: 3, isEncrypted: false }],
  ['rediss://u:p%40s@host:6380/1', { name: 'rediss://host:6380/1', host: 'host', port: 6380, db: 1, username: 'u', password: 'p@s', isEncrypted: true }],
  ['redis://:p@[::1]:7', { name: 'redis://[::1]:7/0', host: '::1', port: 7, db: 0, password: 'p', isEncrypted: false }],
])('reads %s', (written, place) => {
  expect(queuePlace(written, {})).toEqual(place)
})

it('takes the password from the environment, where the list of processes does not show it', () => {
  expect(queuePlace('redis://host', { HERMES_QUEUE_PASSWORD: 'p' })).toMatchObject({ password: 'p' })
  expect(queuePlace('redis://:own@host', { HERMES_QUEUE_PASSWORD: 'p' })).toMatchObject({ password: 'own' })
})

it.each([
  'host:6379', 'http://u:geheim@host', 'redis://', 'redis://u:geheim@host/x', 'redis://u:geheim@host/0?tls=1', 'redis://u:geheim%zz@host', '',
])('refuses %s and repeats nothing of it', (written) => {
  let said: unknown
  try {
    queuePlace(written, {})
  } catch (error) {
    said = error
  }
  expect(said).toMatchObject({ code: 'INVALID_OPTION' })
  expect(`${String(said)} ${JSON.stringify(said)}`).not.toContain('geheim')
})
