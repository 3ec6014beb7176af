import { toldIn } from '../conversation.js'
import type { Day } from '../day.js'
import type { Play } from '../script.js'

const line = (who: string, round: number): string => `echo ${who} ${round} >> shared.log`
const play = (who: string): Play => [
  ...[1, 2, 3].map((round) => ({
    text: `Round ${round}.`,
    calls: [
      { do: 'write' as const, path: `${who}-${round}.txt`, content: `${round}\n` },
      { do: 'run' as const, command: `${line(who, round)}; sleep 0.2; ${line(who, round)}` },
    ],
  })),
  { text: `${who} is done.` },
]

/** Two conversations work in one root at once: each waits for the other's calls. */
export async function twoAtOnce(day: Day): Promise<void> {
  const log = day.log()
  const both = await Promise.all(['left', 'right'].map((who) => day.ask('Work', play(who), ['--keep'])))
  for (const [at, who] of ['left', 'right'].entries()) {
    day.expect(`${who}: exit code`, both[at]?.code, 0)
    day.expect(`${who}: answer`, both[at]?.stdout, `${who} is done.\n`)
    day.lacks(`what ${who} was told`, JSON.stringify(both[at]?.requests), 'LOCKED')
    day.expect(`${who}: files`, day.files(...[1, 2, 3].map((round) => `${who}-${round}.txt`)), ['1\n', '2\n', '3\n'])
  }
  const lines = (day.files('shared.log')[0] ?? '').trimEnd().split('\n')
  day.expect('lines of both', lines.length, 12)
  // What a call writes comes one after another: no call of the other is in between.
  day.expect('calls that ran at once', lines.filter((one, at) => at % 2 === 0 && one !== lines[at + 1]).length, 0)
  day.settle({ log })
}

const WAIT = 'touch waiting; while [ ! -e go ]; do sleep 0.1; done; rm waiting go'

/** What is typed while an answer comes waits for its end, and is sent then. */
export async function queued(day: Day): Promise<void> {
  const log = day.log()
  const chat = await day.chat([
    { text: 'I wait.', calls: [{ do: 'run', command: WAIT }] },
    { text: 'The first is done.' }, { text: 'The second is done.' },
  ])
  chat.type('first thing\r')
  await chat.waitFor(() => day.files('waiting')[0] !== undefined)
  chat.type('second thing\r')
  await chat.waitFor(/second thing/)
  day.write('go', '')
  await chat.waitFor('The second is done.')
  const last = chat.requests().at(-1)
  day.expect('what was asked last', last?.messages.at(-1)?.content, 'second thing')
  day.holds('what was asked before', toldIn(last), 'first thing')
  await chat.leave()
  day.settle({ log })
}
