import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { copySync } from 'fs-extra/esm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useModelServer } from '../../../6-agent/test/agent/support/use-model-server.js'
import { readAnswer, say, type ScriptedAnswer } from '../../../6-agent/test/agent/support/script.js'
import { createPathGate } from '../../../2-files/src/index.js'
import { createRunId, undo } from '../../../3-transaction/src/index.js'
import { openSessionStore } from '../../../6-agent/src/agent/index.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { conversationJobs, CronRunner, cronWork, readJobs } from '../../src/cron/index.js'
import { Gateway, type GatewayOptions, signatureOf, slackAdapter, webhookAdapter } from '../../src/gateway/index.js'

const SECRET = 'a-secret-of-the-test-000'
const says = (body: string, info = 'answer'): ScriptedAnswer => readAnswer(info, body)
const model = useModelServer()

interface Posted {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** The other side: where webhook answers and calls of Slack's API arrive. */
const peer = { url: '', posted: [] as Posted[], failures: [] as number[] }
const server = createServer((request, response) => {
  void take(request, response)
})

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readText(request)
  const failure = peer.failures.shift()
  if (failure === undefined) peer.posted.push({ path: request.url ?? '', headers: request.headers, body })
  response.writeHead(
    failure ?? 200, { 'content-type': 'application/json', ...(failure === 429 && { 'retry-after': '0' }) },
  ).end('{"ok":true,"ts":"1.0"}')
  server.emit('posted')
}
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** What was posted, of `count` at least. */
async function posted(count: number): Promise<Posted[]> {
  while (peer.posted.length < count) await once(server, 'posted')
  return peer.posted
}

const texts = (all: readonly Posted[]): string[] => all.map(({ body }) => (
  body.startsWith('{') ? (JSON.parse(body) as { text: string }).text : new URLSearchParams(body).get('text') ?? ''
))

async function world(
  name: string,
  { home = tempDir(), graceMs, progressMs, scheduler }: {
    home?: string; graceMs?: number; progressMs?: number; scheduler?: GatewayOptions['scheduler']
  } = {},
) {
  peer.posted.length = 0
  const root = tempDir()
  const log: string[] = []
  const gateway = new Gateway({
    adapters: [
      webhookAdapter({
        secret: SECRET, url: `${peer.url}/answers`, allowedUsers: ['ana'], firstWaitMs: 1,
        progress: progressMs !== undefined,
      }),
      slackAdapter({ botToken: 'xoxb-test', signingSecret: SECRET, allowedUsers: ['U1'], apiURL: `${peer.url}/api/` }),
    ],
    directory: join(home, 'gateway'), sessions: openSessionStore({ directory: join(home, 'sessions') }), port: 0,
    agent: {
      model: name, baseURL: model.url, apiKey: 'none', root, policy: { sandbox: 'none' }, gitCommit: false,
      maxRetries: 0,
    },
    ...(graceMs !== undefined && { graceMs }), ...(progressMs !== undefined && { progressMs }), scheduler, log: (line) => log.push(line),
  })
  await gateway.start()
  return { gateway, home, root, log }
}

let number = 0
interface Change {
  secret?: string
  seconds?: number
  method?: string
  body?: string
}

async function post(
  url: string, path: string, value: unknown, change: Change = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { secret = SECRET, seconds = Math.floor(Date.now() / 1000), method = 'POST' } = change
  const body = change.body ?? JSON.stringify(value)
  const isSlack = path.startsWith('/slack')
  const signature = signatureOf(isSlack ? 'v0' : 'v1', secret, String(seconds), body)
  const headers = isSlack ? { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': signature }
    : { 'x-hermes-timestamp': String(seconds), 'x-hermes-signature': signature }
  const response = await fetch(url + path, { method, headers, ...(method === 'POST' && { body }) })
  return { status: response.status, body: await response.json() as Record<string, unknown> }
}
/** A signed request whose last byte is still to come. */
async function begunRequest(url: string, value: unknown): Promise<{ finish: () => Promise<number> }> {
  const [body, seconds] = [JSON.stringify(value), String(Math.floor(Date.now() / 1000))]
  const request = httpRequest(`${url}/webhook`, {
    method: 'POST',
    headers: {
      'content-length': body.length, 'x-hermes-timestamp': seconds,
      'x-hermes-signature': signatureOf('v1', SECRET, seconds, body),
    },
  })
  const answered = once(request, 'response')
  await new Promise((resolve) => request.write(body.slice(0, -1), resolve))
  // Its headers have come when a later request is answered.
  await fetch(`${url}/elsewhere`)
  return {
    async finish() {
      request.end(body.slice(-1))
      const [response] = await answered as [IncomingMessage]
      response.resume()
      return response.statusCode ?? 0
    },
  }
}
const hook = (url: string, text: string, more: object = {}, change = {}) => (
  post(url, '/webhook', { id: `m${++number}`, conversation: 'c1', user: 'ana', text, ...more }, change)
)
const event = (fields: object) => ({
  type: 'event_callback', team_id: 'T1', event_id: `Ev${++number}`, event: {
    type: 'app_mention', channel: 'C1', user: 'U1', text: '<@UBOT> hello', ts: `${number}.1`, ...fields,
  },
})

describe('the webhook', () => {
  it('hears only what is signed just now, by an allowed user, once', async () => {
    model.improvise('gate', () => says('hello ana'))
    const { gateway: { url }, gateway, log } = await world('gate')
    expect(await hook(url, 'x', {}, { secret: 'another-secret-0000000' })).toEqual({
      status: 401, body: { error: { code: 'UNAUTHORIZED' } },
    })
    expect((await hook(url, 'x', {}, { seconds: Math.floor(Date.now() / 1000) - 301 })).status).toBe(401)
    expect((await fetch(`${url}/webhook`, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await hook(url, '', {}, { body: 'no json' })).status).toBe(400)
    expect((await hook(url, 'x', { user: 'eve' })).status).toBe(403)
    expect((await post(url, '/webhook', {}, { method: 'GET' })).status).toBe(405)
    expect((await post(url, '/elsewhere', {})).status).toBe(404)
    expect((await hook(url, 'x'.repeat(1024 * 1024))).status).toBe(413)
    // Also where no length is said beforehand.
    const endless = new ReadableStream({ pull: (stream) => stream.enqueue(Buffer.alloc(256 * 1024)) })
    expect(
      (await fetch(`${url}/webhook`, { method: 'POST', body: endless, duplex: 'half' } as RequestInit)).status,
    ).toBe(413)
    expect(model.requests('gate')).toHaveLength(0)
    expect(await hook(url, 'hi', { id: 'once' })).toEqual({ status: 202, body: { accepted: 'once' } })
    expect(await hook(url, 'hi', { id: 'once' })).toEqual({ status: 200, body: { duplicate: true } })
    const [answer] = await posted(1)
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ conversation: 'c1', text: 'hello ana' })
    expect(answer?.headers['x-hermes-signature']).toBe(
      signatureOf('v1', SECRET, String(answer?.headers['x-hermes-timestamp']), answer?.body ?? ''),
    )
    await gateway.close()
    expect(model.requests('gate')).toHaveLength(1)
    expect(log.join('\n')).toContain('webhook: refused a request (401: its signature is wrong)')
    expect(log.join('\n')).toContain('eve is not among gateway.webhook.allowed_users')
  })

  it('works on messages of a conversation one by one, says that it is busy, goes on after a restart', async () => {
    model.improvise('order', ({ messages }) => {
      const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
      return says(`you said ${said.join(' then ')}`, 'answer pause=4 chunk=1')
    })
    const first = await world('order')
    await hook(first.gateway.url, 'one')
    await hook(first.gateway.url, 'two')
    expect(texts(await posted(3))).toEqual([
      expect.stringContaining('still working'), 'you said one', 'you said one then two',
    ])
    await first.gateway.close()
    const second = await world('order', { home: first.home })
    await hook(second.gateway.url, 'other', { conversation: 'c2' })
    expect(texts(await posted(1))).toEqual(['you said other'])
    await hook(second.gateway.url, 'three')
    expect(texts(await posted(2))[1]).toBe('you said one then two then three')
    await second.gateway.close()
  })

  it('takes no sixth message that waits, and takes it when it is sent again with its id', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => { release = resolve })
    model.improvise('full', ({ messages }) => {
      const said = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? ''
      return said === 'm0' ? says('I begin', 'answer fault=hang') : says(`you said ${said}`)
    })
    const { gateway: { url }, gateway, home } = await world('full', { graceMs: 1 })
    void held.then(() => gateway.cancel())
    const send = (text: string) => hook(url, text, { id: text })
    for (let at = 0; at <= 5; at++) expect((await send(`m${at}`)).status).toBe(202)
    // Whoever sends again by itself is told once.
    for (let at = 0; at < 3; at++) expect(await send('m6')).toMatchObject({
      status: 429, body: { error: { code: 'BUSY' } },
    })
    expect((await send('m5')).body).toEqual({ duplicate: true })
    const said = texts(await posted(6))
    expect(said.filter((text) => text.includes('was not taken'))).toHaveLength(1)
    release()
    await gateway.close()
    // Those that waited were told to be sent again, too: only what was begun is not begun again.
    const next = await world('full', { home })
    for (const text of ['m0', 'm5', 'm6']) expect((await hook(next.gateway.url, text, { id: text })).status).toBe(
      text === 'm0' ? 200 : 202,
    )
    expect(texts(await posted(3)).filter((text) => text.startsWith('you said'))).toEqual(['you said m5', 'you said m6'])
    await next.gateway.close()
  })

  it('a reminder is a job of the conversation, which gets the answer', async () => {
    model.improvise('remind', ({ messages }) => (messages.at(-1)?.role === 'tool' ? says('I remind you.')
      : says(`@call cron_add ${JSON.stringify({ schedule: 'in 30m', prompt: 'Answer only: call Ana.' })}`)))
    const directory = join(tempDir(), 'cron')
    const { gateway } = await world('remind', { scheduler: (from) => conversationJobs({
      directory, root: tempDir(), from, deliver: from, consent: 'given', limits: { allow: [], disabledToolsets: [] },
    }) })
    await hook(gateway.url, 'remind me in 30 minutes to call Ana')
    expect(texts(await posted(1))).toEqual(['I remind you.'])
    await gateway.close()
    expect(model.requests('remind')[0]?.tools?.map((tool) => tool.function.name)).toContain('cron_add')
    const [job] = readJobs(directory)
    expect(job).toMatchObject({ deliver: 'webhook:c1', from: 'webhook:c1', prompt: 'Answer only: call Ana.' })
    model.improvise('reminds', () => says('Call Ana.'))
    const sent: string[] = []
    const runner = new CronRunner({
      directory, signal: new AbortController().signal, now: () => job?.atMs ?? 0,
      work: cronWork({ model: 'reminds', agent: {
        baseURL: model.url, apiKey: 'none', policy: false, gitCommit: false, surroundings: false,
      } }),
      deliver: async (to, text) => void sent.push(`${to} ${text}`),
    })
    await runner.once()
    expect([sent, readJobs(directory)]).toEqual([['webhook:c1 Call Ana.'], []])
    // A job schedules none.
    expect(model.requests('reminds')[0]?.tools?.map((tool) => tool.function.name)).not.toContain('cron_add')
  })

  it('/new forgets the conversation, in its order; a path is no command', async () => {
    model.improvise('new', ({ messages }) => {
      const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
      return says(`you said ${said.join(' then ')}`)
    })
    const { gateway, home } = await world('new')
    await hook(gateway.url, 'one')
    await posted(1)
    await hook(gateway.url, ' /NEW\n')
    await posted(2)
    await hook(gateway.url, '/new/path')
    expect(texts(await posted(3))).toEqual([
      'you said one', expect.stringContaining('A new conversation begins'), 'you said /new/path',
    ])
    await gateway.close()
    const next = await world('new', { home })
    await hook(next.gateway.url, 'after a restart')
    expect(texts(await posted(1))).toEqual(['you said /new/path then after a restart'])
    await next.gateway.close()
  })

  it('/stop ends the answer that is worked on, with what it had, and the next message is worked on', async () => {
    model.improvise('stop', ({ messages }) => {
      const said = messages.filter(({ role }) => role === 'user').at(-1)?.content ?? ''
      return said === 'long' ? says('I begin', 'answer fault=hang') : says(`you said ${said}`)
    })
    const { gateway } = await world('stop')
    await hook(gateway.url, '/stop')
    expect(texts(await posted(1))).toEqual(['I am not working on anything.'])
    await hook(gateway.url, 'long')
    await hook(gateway.url, 'next')
    await expect.poll(() => model.requests('stop').length).toBe(1)
    await hook(gateway.url, '/stop', { id: 'stop' })
    expect((await hook(gateway.url, '/stop', { id: 'stop' })).body).toEqual({ duplicate: true })
    const said = texts(await posted(4))
    expect(said[2]).toContain('(I stopped, as you said.)')
    expect(said[3]).toBe('you said next')
    await hook(gateway.url, '/help')
    expect(texts(await posted(5))[4]).toContain('/new   begin a new conversation')
    await gateway.close()
    expect(model.requests('stop')).toHaveLength(2)
  })

  it('says how far a long answer is where it is wanted, before the answer', async () => {
    model.improvise('far', ({ messages }) => (messages.at(-1)?.role === 'tool' ? says('done')
      : says('@call execute_command {"command": "while [ ! -e go ]; do sleep 0.05; done"}')))
    const { gateway, root } = await world('far', { progressMs: 20 })
    await hook(gateway.url, 'work')
    const isFar = (): boolean => texts(peer.posted).some((text) => text.includes('1 call, now execute_command'))
    await expect.poll(isFar, { timeout: 20_000 }).toBe(true)
    writeFileSync(join(root, 'go'), '')
    await expect.poll(() => texts(peer.posted).at(-1), { timeout: 20_000 }).toBe('done')
    await gateway.close()
    const bodies = peer.posted.map(({ body }) => JSON.parse(body) as { event?: string })
    expect(bodies.map(({ event: kind }) => kind).slice(0, -1).every((kind) => kind === 'progress')).toBe(true)
    expect(bodies.at(-1)).not.toHaveProperty('event')
    // Only what has changed is said: waiting, the call, and what comes after it.
    expect(bodies.length).toBeLessThanOrEqual(5)
  })

  it('sends an answer again after failures that may pass', async () => {
    model.improvise('again', () => says('at last'))
    const { gateway } = await world('again')
    peer.failures.push(503, 429)
    await hook(gateway.url, 'hi')
    expect(texts(await posted(1))).toEqual(['at last'])
    await gateway.close()
  })

  it('blocks a dangerous command with an explanation, and no message approves it', async () => {
    let root = ''
    model.improvise('danger', ({ messages }, index) => {
      if (messages.at(-1)?.role === 'tool') return says('It was blocked.')
      const command = index === 0 ? `rm -rf ${root}/kept` : 'echo "sudo: a password is required" >&2; exit 1'
      return says(`@call execute_command ${JSON.stringify({ command })}`)
    })
    const { gateway, root: made } = await world('danger')
    root = made
    writeFileSync(join(root, 'kept'), 'x')
    await hook(gateway.url, 'clean up')
    const [answer = ''] = texts(await posted(1))
    expect(answer).toMatch(/^It was blocked\.\n\n⚠ Blocked for safety: /)
    expect(answer).toContain(`rm -rf ${root}/kept`)
    expect(answer).toMatch(/\n {4}in \/.*(?:in the sandbox|without a sandbox)/)
    expect(answer).toMatch(/cannot be approved by message.*command_allowlist/)
    expect(existsSync(join(root, 'kept'))).toBe(true)
    await hook(gateway.url, 'yes, I approve: always')
    expect(texts(await posted(2))[1]).toMatch(/Tip: sudo wants a password.*Add SUDO_PASSWORD to ~\/\.hermes\/\.env/)
    await gateway.close()
  })

  it('a shutdown cancels what does not end in time, says so, and lets another gateway work', async () => {
    model.improvise('hang', () => says('I begin', 'answer fault=hang'))
    const { gateway, home } = await world('hang', { graceMs: 300 })
    await expect(world('hang', { home })).rejects.toMatchObject({ code: 'LOCKED' })
    await hook(gateway.url, 'work')
    await hook(gateway.url, 'more')
    const late = await begunRequest(gateway.url, { id: 'late', conversation: 'c9', user: 'ana', text: 'late' })
    const closing = gateway.close()
    expect(await late.finish()).toBe(503)
    await closing
    const said = texts(peer.posted)
    expect(said.some((text) => text.includes('this message was not worked on'))).toBe(true)
    expect(said.at(-1)).toContain('I was stopped')
    const next = await world('hang', { home })
    await next.gateway.close()
    // The one that was worked on; the others were told to be sent again.
    expect(readFileSync(join(home, 'gateway', 'seen'), 'utf8').trim().split('\n')).toHaveLength(1)
  })

  it('a gateway that was killed in the middle of a turn goes on with it when it is started anew, once', async () => {
    let isHanging = true
    const seen = new Promise<void>((resolve) => {
      model.improvise('killed', ({ messages }) => {
        resolve()
        const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content).join(' then ')
        return isHanging ? says('I begin', 'answer fault=hang') : says(`you said ${asked}`)
      })
    })
    const first = await world('killed', { graceMs: 1 })
    await hook(first.gateway.url, 'one')
    await hook(first.gateway.url, 'two')
    await seen
    // What kill -9 would leave.
    const [home, again] = [tempDir(), tempDir()]
    copySync(first.home, home)
    for (const lock of ['gateway/lock', 'sessions/.locks']) rmSync(join(home, lock), { recursive: true })
    await first.gateway.close()
    expect(readdirSync(join(first.home, 'gateway', 'turns'))).toEqual([])
    isHanging = false
    const file = join('gateway', 'turns', readdirSync(join(home, 'gateway', 'turns'))[0] ?? '')
    copySync(home, again)
    const second = await world('killed', { home })
    expect(texts(await posted(2))).toEqual(['you said one', 'you said one then two'])
    await second.gateway.close()
    // What kills it each time is not begun a third time.
    writeFileSync(join(again, file), readFileSync(join(again, file), 'utf8').replace('"resumed":0', '"resumed":1'))
    const third = await world('killed', { home: again })
    expect(texts(await posted(2))[0]).toContain('interrupted twice')
    await third.gateway.close()
  })

  it('a message that was killed, and had been told more with it, is not said twice', async () => {
    let isHanging = true
    const seen = new Promise<void>((resolve) => {
      model.improvise('told', ({ messages }) => {
        const said = messages.filter(({ role }) => role === 'user')
        if (said.length === 1) {
          return messages.at(-1) === said[0] ? say('', ['write_file', { path: 'a', content: '1' }]) : say('Made.')
        }
        resolve()
        return isHanging ? says('I begin', 'answer fault=hang') : says(`You said ${said.length} messages`)
      })
    })
    const first = await world('told', { graceMs: 1 })
    await hook(first.gateway.url, 'one')
    await posted(1)
    await undo({
      root: first.root, gate: createPathGate({ root: first.root, allow: [], forUser: true }), runId: createRunId(),
      force: false, git: false, durable: false, waitMs: 0, signal: new AbortController().signal,
    })
    await hook(first.gateway.url, 'two')
    await seen
    const home = tempDir()
    copySync(first.home, home)
    for (const lock of ['gateway/lock', 'sessions/.locks']) rmSync(join(home, lock), { recursive: true })
    await first.gateway.close()
    isHanging = false
    const second = await world('told', { home })
    expect(texts(await posted(1))).toEqual(['You said 2 messages'])
    await second.gateway.close()
  })

  it('nobody allowed, or a secret that can be guessed: it does not start', () => {
    expect(() => webhookAdapter({ secret: 'short', url: peer.url, allowedUsers: ['ana'] })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    const adapters = [webhookAdapter({ secret: SECRET, url: peer.url, allowedUsers: [] })]
    expect(() => new Gateway({ adapters, directory: tempDir(), agent: { model: 'x' } })).toThrow(
      'Nobody may write by webhook',
    )
  })
})

describe('Slack', () => {
  it('answers the verification of the address, and refuses what Slack did not sign', async () => {
    const { gateway } = await world('verify')
    expect(await post(gateway.url, '/slack/events', { type: 'url_verification', challenge: 'abc' })).toEqual({
      status: 200, body: { challenge: 'abc' },
    })
    expect((
      await post(gateway.url, '/slack/events', { type: 'url_verification', challenge: 'abc' }, { secret: 'x' })
    ).status).toBe(401)
    await gateway.close()
  })

  it('answers a mention in its thread, once, by the official client; names call nobody', async () => {
    model.improvise('slack', ({ messages }) => says(`<!channel> you said ${messages.at(-1)?.content}`))
    const { gateway } = await world('slack')
    const mention = event({ text: '<@UBOT> a &lt; b', ts: '10.5' })
    expect((await post(gateway.url, '/slack/events', mention)).status).toBe(200)
    // Slack sends again what was not answered in time.
    expect((await post(gateway.url, '/slack/events', mention)).body).toEqual({ duplicate: true })
    const [sent] = await posted(1)
    expect([sent?.path, sent?.headers.authorization]).toEqual(['/api/chat.postMessage', 'Bearer xoxb-test'])
    const form = new URLSearchParams(sent?.body)
    expect([form.get('channel'), form.get('thread_ts'), form.get('text')]).toEqual([
      'C1', '10.5', '&lt;!channel&gt; you said a &lt; b',
    ])
    // In the thread the conversation goes on; elsewhere another begins.
    await post(gateway.url, '/slack/events', event({ text: '<@UBOT> more', ts: '11.0', thread_ts: '10.5' }))
    await posted(2)
    expect(model.requests('slack').at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(2)
    await post(
      gateway.url, '/slack/events', event({ type: 'message', channel_type: 'im', channel: 'D1', text: 'directly' }),
    )
    expect(new URLSearchParams((await posted(3))[2]?.body).has('thread_ts')).toBe(false)
    expect(model.requests('slack').at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(1)
    await gateway.close()
  })

  it('shows in one message how far a long answer is, and takes it away before the answer', async () => {
    model.improvise('slow', (_, index) => (index === 2 ? says('done')
      : says(`@call execute_command {"command": "while [ ! -e go${index} ]; do sleep 0.05; done"}`)))
    const { gateway, root } = await world('slow', { progressMs: 20 })
    await post(gateway.url, '/slack/events', event({ text: '<@UBOT> work', ts: '20.5' }))
    for (const [index, calls] of ['1 call,', '2 calls,'].entries()) {
      const shown = () => texts(peer.posted).at(-1)
      await expect.poll(shown, { timeout: 20_000 }).toContain(`${calls} now execute_command`)
      writeFileSync(join(root, `go${index}`), '')
    }
    await expect.poll(() => texts(peer.posted).at(-1), { timeout: 20_000 }).toBe('done')
    await gateway.close()
    const calls = peer.posted.map(({ path }) => path.replace('/api/', ''))
    expect([calls[0], ...calls.slice(-2)]).toEqual(['chat.postMessage', 'chat.delete', 'chat.postMessage'])
    expect(calls.slice(1, -2).length).toBeGreaterThan(0)
    expect(calls.slice(1, -2).every((call) => call === 'chat.update')).toBe(true)
    expect(new URLSearchParams(peer.posted[0]?.body).get('thread_ts')).toBe('20.5')
    expect(new URLSearchParams(peer.posted[1]?.body).get('ts')).toBe('1.0')
  })

  it('hears no bots, no edits and no strangers', async () => {
    model.improvise('bots', () => says('no'))
    const { gateway } = await world('bots')
    for (const fields of [
      { bot_id: 'B1' }, { subtype: 'message_changed' }, { type: 'message', channel_type: 'channel' }, { user: 'U9' },
    ]) {
      expect((await post(gateway.url, '/slack/events', event(fields))).status).toBe(200)
    }
    expect(texts(await posted(1))).toEqual([
      expect.stringContaining('You may not write to this hermes. Its owner can add U9'),
    ])
    await gateway.close()
    expect(model.requests('bots')).toHaveLength(0)
  })
})
