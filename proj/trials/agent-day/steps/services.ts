import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { appendFileSync, writeFileSync } from 'node:fs'
import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'

/** A job for one moment: it runs once, commits nothing, can be undone, and is gone. */
export async function cron(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const added = await day.hermes('cron', 'add', 'in 1s', 'Write the note', '--name', 'note')
  day.expect('cron add exits with', added.code, 0)
  const play = [
    { text: 'Now.', calls: [{ do: 'write' as const, path: 'note.txt', content: 'by the job\n' }] },
    { text: 'The note is there.' },
  ]
  const runner = day.start(['cron', 'run'], play)
  await day.until('the job', async () => {
    const told = await day.hermes('cron', 'log', 'note', '--json')
    return told.stdout.includes('The note is there.')
  })
  runner.child.kill('SIGINT')
  const { code, stdout, stderr } = await runner.ended
  day.expect('the runner exits with', code, 130)
  day.holds('the runner', stdout, '1 job; Ctrl-C ends the runner.')
  day.lacks('the runner', stderr, 'internal error')
  const list = await day.hermes('cron', 'list', '--json')
  day.lacks('the jobs that are left', list.stdout, '"note"')
  day.expect('the note', day.files('note.txt'), ['by the job\n'])
  day.expect('the history', day.log(), log)
  const undone = await day.hermes('undo')
  day.expect('hermes undo exits with', undone.code, 0)
  day.expect('the note after hermes undo', day.files('note.txt'), [undefined])
  day.settle({ log, status })
}

const SECRET = 'secret-of-the-day-0123456789'
const signed = (seconds: string, body: string): string => (
  `v1=${createHmac('sha256', SECRET).update(`v1:${seconds}:${body}`).digest('hex')}`
)

/** Messages by the webhook: a conversation that remembers, a duplicate, `/new`, `/stop` of a command. */
export async function gateway(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const answers: string[] = []
  const peer = createServer((request, response) => {
    const take = (body: string): void => {
      answers.push((JSON.parse(body) as { text: string }).text)
      response.end('{}')
    }
    void text(request).then(take)
  })
  peer.listen(0, '127.0.0.1')
  await once(peer, 'listening')
  appendFileSync(join(day.home, 'config.yaml'), [
    'gateway:', '  webhook:', `    url: http://127.0.0.1:${(peer.address() as AddressInfo).port}/answers`,
    '    allowed_users: [ana]', '',
  ].join('\n'))
  writeFileSync(join(day.home, '.env'), `HERMES_WEBHOOK_SECRET=${SECRET}\n`, { mode: 0o600 })
  const stopped = `sleep 301.${process.pid}`
  const running = day.start(['gateway', '--port', '0'], [
    { text: 'Now.', calls: [{ do: 'write', path: 'sent.txt', content: 'by a message\n' }] }, { text: 'It is written.' },
    { text: 'I remember.' }, { text: 'Nothing before.' },
    { text: 'I wait.', calls: [{ do: 'run', command: `touch waits; ${stopped}` }] }, { text: 'After the stop.' },
  ])
  let said = ''
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [running.child.stdout, running.child.stderr]) stream?.on('data', (piece) => {
      said += String(piece)
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? []
      if (url) resolve(url)
    })
    void running.ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  const url = await address
  let id = 0
  const send = async (words: string, name = `m${++id}`): Promise<number> => {
    const body = JSON.stringify({ id: name, conversation: 'c', user: 'ana', text: words })
    const seconds = String(Math.floor(Date.now() / 1000))
    const response = await fetch(`${url}/webhook`, {
      method: 'POST', body, headers: { 'x-hermes-timestamp': seconds, 'x-hermes-signature': signed(seconds, body) },
    })
    await response.text()
    return response.status
  }
  const count = (wanted: number): Promise<void> => (
    day.until(`${wanted} answers`, () => Promise.resolve(answers.length >= wanted))
  )
  day.expect('a message is taken', await send('Write it', 'first'), 202)
  await count(1)
  day.expect('the same again is known', await send('Write it', 'first'), 200)
  await send('What did I say?')
  await count(2)
  await send('/new')
  await count(3)
  await send('What did I say now?')
  await count(4)
  await send('Wait for it')
  await day.until('the command', () => Promise.resolve(day.files('waits')[0] !== undefined))
  await send('/stop')
  await count(5)
  await send('And now?')
  await day.until('the last answer', () => Promise.resolve(answers.at(-1) === 'After the stop.'))
  running.child.kill('SIGINT')
  const { code, requests } = await running.ended
  peer.close()
  peer.closeAllConnections()
  day.expect('the gateway exits with', code, 130)
  day.expect('answers', answers.filter((answer) => /^(?:It is|I rem|Nothing|After)/.test(answer)), [
    'It is written.', 'I remember.', 'Nothing before.', 'After the stop.',
  ])
  day.holds('the second message', toldIn(requests[2]), 'Write it', 'What did I say?')
  day.lacks('the message after /new', toldIn(requests[3]), 'Write it')
  day.holds('the message after /stop', toldIn(requests[5]), 'Wait for it', 'And now?')
  day.expect('the command after /stop', day.runs(stopped), false)
  day.expect('the file', day.files('sent.txt'), ['by a message\n'])
  day.settle({ log })
  day.expect('what is new', day.status().filter((line) => !status.includes(line)), ['?? sent.txt', '?? waits'])
}
