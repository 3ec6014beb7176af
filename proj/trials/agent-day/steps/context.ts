import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'
import type { Turn } from '../script.js'

/** As servers say it: llama.cpp, vLLM, Gemini; a proxy by the status alone. */
const TOO_LONG: readonly [by: string, status: number, words: string][] = [
  ['llama.cpp', 400, 'the request exceeds the available context size. try increasing the context size'],
  ['vLLM', 400, "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens."],
  ['Gemini', 400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'],
  ['a proxy', 413, 'Payload Too Large'],
]
const LONG = 'for i in $(seq 3000); do echo "line $i of a long output of the day"; done'
const refusal = (status: number, text: string): Turn => ({ status, text })
/** Of whoever is asked for a summary: it is the last thing asked. */
const summary: Turn = { text: 'The user wants sums. sum.js is mended.' }

/** The server refuses a conversation as too long: it is made shorter, and goes on. */
export async function overflow(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  for (const [by, code, words] of TOO_LONG) {
    const { stdout, stderr, code: exit, requests } = await day.ask('Print much, then say done.', [
      { text: 'One.', calls: [{ do: 'run', command: LONG }] },
      { text: 'Two.', calls: [{ do: 'run', command: LONG }] },
      refusal(code, words),
      // By now it is short enough, or a summary is asked for.
      { text: `Done with ${by}.` },
    ])
    day.expect(`${by}: exit code`, exit, 0)
    day.expect(`${by}: answer`, stdout, `Done with ${by}.\n`)
    const [refused = 0, sent = 0] = requests.slice(-2).map((request) => JSON.stringify(request.messages).length)
    day.expect(`${by}: what was sent again is shorter (${refused}, ${sent})`, sent < refused * 0.8, true)
    day.holds(`${by}: what was sent again`, toldIn(requests.at(-1)), 'Print much')
    if (stderr.includes('internal error')) day.expect(`${by}: standard error`, stderr, '')
  }
  day.settle({ log, status })
}

/** `/compact`: a summary takes the place of the older messages, is shown, and the conversation goes on. */
export async function compact(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const chat = await day.chat([
    { text: 'I look.', calls: [{ do: 'read', path: 'check.js' }] }, { text: 'Read once.' },
    { text: 'Said twice.' }, { text: 'Said three times.' }, summary, { text: 'Going on.' },
  ])
  await chat.say('Read the check', 'Read once.')
  await chat.say('a word that is only in the middle', 'Said twice.')
  await chat.say('and a third', 'Said three times.')
  await chat.say('/compact', 'sum.js is mended.')
  await chat.say('go on now', 'Going on.')
  const last = chat.requests().at(-1)
  const sent = JSON.stringify(last?.messages)
  day.holds('what follows the summary', sent, 'Read the check', 'sum.js is mended.', 'go on now')
  day.lacks('what follows the summary', sent, 'only in the middle')
  await chat.leave()
  day.settle({ log, status })
}
