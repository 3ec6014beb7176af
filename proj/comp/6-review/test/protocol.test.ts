import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createToken } from '../../2-wire/src/loopback-http/index.js'
import { tempDir } from '../../../test/support/temp-dir.js'
import { isShown, startReview, type Asked } from './review-client.js'

const MESSAGES = '/api/messages'
const JSON_TYPE = { 'content-type': 'application/json' }
const post = (body: string, headers: Record<string, string> = {}): Asked => (
  { method: 'POST', path: MESSAGES, headers: { ...JSON_TYPE, ...headers }, body }
)
const FINISH = '{"type":"finish"}'
const TEXT = '<tool_call>{"name": "write_file", "arguments": {"path": "secret-name.txt", "content": "secret words"}}</tool_call>\n'

it('gives everyone the page, which holds nothing of the answer, and nobody the rest without the token', async () => {
  const review = await startReview({ text: TEXT, run: { root: tempDir() } })
  const page = await review.watch()
  await page.until(isShown)
  expect(JSON.stringify(page.state)).toContain('secret words')
  for (const path of ['/', '/review.js', '/review.css']) {
    const answer = await review.ask({ path, headers: { authorization: '' } })
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('secret')
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self'.*frame-ancestors 'none'.*trusted-types 'none'/)
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    expect(answer.headers).not.toHaveProperty('set-cookie')
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  }
  const refused: readonly [string, Asked, number][] = [
    ['no token', post(FINISH, { authorization: '' }), 401],
    ['a wrong token', post(FINISH, { authorization: `Bearer ${createToken()}` }), 401],
    ['the token in the address', { path: `/api/events?token=${review.token}`, headers: { authorization: '' } }, 401],
    ['the token as a cookie', post(FINISH, { authorization: '', cookie: `token=${review.token}` }), 401],
    ['a page of another site', post(FINISH, { origin: 'https://evil.example' }), 403],
    ['a page without origin', post(FINISH, { origin: 'null' }), 403],
    ['another local server', post(FINISH, { origin: 'http://127.0.0.1:1' }), 403],
    ['a name that was bound anew', post(FINISH, { host: `evil.example:${review.port}` }), 403],
    ['the page, by a name that was bound anew', { headers: { host: `evil.example:${review.port}` } }, 403],
    ['what a browser says comes from elsewhere', post(FINISH, { 'sec-fetch-site': 'cross-site' }), 403],
    ['a form', post(FINISH, { 'content-type': 'text/plain' }), 415],
    ['no path of it', { path: '/api/files' }, 404],
    ['a message that is asked for', { path: MESSAGES }, 404],
    ['the page as a message', { method: 'POST', path: '/', body: FINISH }, 404],
    ['a path to elsewhere', { path: '/../../etc/passwd' }, 404],
  ]
  for (const [what, asked, status] of refused) {
    const answer = await review.ask(asked)
    expect([what, answer.status]).toEqual([what, status])
    expect(answer.text).not.toContain('secret')
  }
  expect(page.state.phase).toBe('review')
})

it('takes nothing that is no message, and goes on', async () => {
  const root = tempDir()
  const review = await startReview({ text: TEXT, run: { root } })
  const page = await review.watch()
  const { revision } = await page.until(isShown)
  const garbage = [
    '', 'null', '[]', '{', '"run"', '{"type":"exec"}', '{"type":"run"}', '{"type":"run","revision":"1"}', '{"type":"run","revision":1.5}',
    '{"type":"tick","keys":["0"],"on":true}', '{"type":"tick","keys":["2"],"on":true}', '{"type":"tick","keys":["__proto__"],"on":true}',
    '{"type":"tick","keys":["1"],"on":"yes"}', '{"type":"finish","sandbox":"none"}', '{"type":"edit","key":"1"}', '{"type":"source","key":"99"}',
    '{"type":"answer","prompt":"1","answer":"once"}', '{"__proto__":{"type":"finish"}}', '\u0000', '{"type":"edit","key":"1","text":{}}',
    `{"type":"run","revision":${revision},"root":"/"}`, JSON.stringify({ type: 'edit', key: '1', text: 'x'.repeat(2 * 1024 * 1024 + 1) }),
  ]
  for (const body of garbage) {
    const { status, json } = await review.ask(post(body))
    expect([body.slice(0, 60), status, typeof json.error?.message]).toEqual([body.slice(0, 60), 400, 'string'])
  }
  expect((await review.ask({ ...post(''), body: new Uint8Array([0xff, 0xfe, 0x22]) })).status).toBe(400)
  expect((await review.ask(post(FINISH, { 'content-length': String(64 * 1024 * 1024) })).catch(() => ({ status: 413 }))).status).toBe(413)
  expect(page.state).toMatchObject({ phase: 'review', revision })
  // A client that says nothing whole, and one that leaves in the middle.
  const half = connect(review.port, '127.0.0.1')
  half.on('error', () => undefined)
  half.write(`POST ${MESSAGES} HTTP/1.1\r\nHost: 127.0.0.1:${review.port}\r\nAuthorization: Bearer ${review.token}\r\nContent-Length: 100\r\n\r\n{"type"`)
  half.destroy()
  expect((await review.send({ type: 'run', revision })).status).toBe(200)
  await page.until(({ phase }) => phase === 'ran')
})

it('sends a page that comes later all of it, then only what changes', async () => {
  const text = Array.from({ length: 30 }, (_, index) => TEXT.replace('secret-name', `name-${index}`)).join('\n')
  const review = await startReview({ text, run: { root: tempDir() } })
  const page = await review.watch()
  await page.until(isShown)
  const before = page.updates.length
  await review.send({ type: 'tick', keys: ['7'], on: false })
  await page.until((state) => isShown(state) && state.items[6]?.ticked === false)
  const patches = page.updates.slice(before)
  expect(patches.length).toBeGreaterThan(0)
  expect(patches.every((update) => update.type === 'patch' && Object.keys(update.patch.items ?? {}).length <= 1)).toBe(true)
  const other = await review.watch()
  expect(other.state).toEqual(page.state)
})
