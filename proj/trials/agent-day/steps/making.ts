import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'

export const SUM = 'exports.sum = (a, b) => a - b\n'
export const MENDED = 'exports.sum = (a, b) => a + b\n'
const CHECK = `const { sum } = require('./sum')
if (sum(2, 3) !== 5) throw new Error('got ' + sum(2, 3))
console.log('all well')
`

/** A new module with its test, by one question; standard output is the answer and nothing else. */
export async function makeThings(day: Day): Promise<void> {
  const { stdout, code, requests } = await day.ask('Write sum.js and its check.', [
    {
      text: 'Both files.',
      calls: [{ do: 'write', path: 'sum.js', content: SUM }, { do: 'write', path: 'check.js', content: CHECK }],
    },
    { text: 'Both are there.' },
  ], [], true)
  day.expect('exit code', code, 0)
  day.expect('standard output', stdout, 'Both are there.\n')
  day.expect('files', day.files('sum.js', 'check.js'), [SUM, CHECK])
  day.expect('requests', requests.length, 2)
  const [system] = requests[0]?.messages ?? []
  day.holds('the system prompt', system?.content ?? '', day.root, 'Git is on the branch main')
  day.settle({ refs: ['refs/heads/main'], log: ['start'], status: ['?? check.js', '?? sum.js'] })
}

/** The check fails, the model reads, edits, and looks again. */
export async function mendThem(day: Day): Promise<void> {
  const before = day.files('sum.js')[0]
  if (before !== SUM) day.write('sum.js', SUM)
  const status = day.status()
  const chat = await day.chat([
    { text: 'I run it.', calls: [{ do: 'run', command: 'node check.js' }] },
    { text: 'I look.', calls: [{ do: 'read', path: 'sum.js' }] },
    { text: 'A sign.', calls: [{ do: 'edit', path: 'sum.js', old: SUM.trimEnd(), new: MENDED.trimEnd() }] },
    { text: 'Again.', calls: [{ do: 'run', command: 'node check.js' }] },
    { text: 'The check passes now.' },
  ], [], true)
  await chat.say('Run the check and mend it', 'The check passes now.')
  const [, failed, read, , passed] = chat.requests().map(toldIn)
  day.holds('what the failing check told', failed ?? '', 'got -1')
  day.holds('what was read', read ?? '', 'a - b')
  day.lacks('before it was mended', read ?? '', 'all well')
  day.holds('what the passing check told', passed ?? '', 'all well')
  await chat.say('/diff', '+exports.sum = (a, b) => a + b')
  await chat.leave()
  day.expect('sum.js', day.files('sum.js'), [MENDED])
  day.settle({ log: ['start'], status })
}
