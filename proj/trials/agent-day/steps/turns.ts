import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'

/** A call that gives the same each time: told to the model the third time, and the end at the fifth. */
export async function callsForEver(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const again = { text: 'Once more.', calls: [{ do: 'read' as const, path: 'README.md' }] }
  const { code, stderr, requests } = await day.ask('Look for it', [again, again, again, again, again])
  day.expect('exit code', code, 1)
  day.holds('standard error', stderr, 'Stopped: the model made the same call with the same result five times.')
  day.expect('requests', requests.length, 5)
  const [, , third, fourth, fifth] = requests.map(toldIn)
  day.lacks('what is told after two calls', third ?? '', 'gave the same')
  day.holds('what is told after three calls', fourth ?? '', 'This call gave the same 3 times', 'At 5 times')
  day.holds('what is told after four calls', fifth ?? '', 'This call gave the same 4 times')
  day.settle({ log, status })
}

/** The turns of a message are used: the user is asked, goes on, and with a no the message ends. */
export async function moreTurns(day: Day): Promise<void> {
  const log = day.log()
  const chat = await day.chat([
    { text: 'The first.', calls: [{ do: 'write', path: 'turn-1.txt', content: '1\n' }] },
    { text: 'The second.', calls: [{ do: 'write', path: 'turn-2.txt', content: '2\n' }] },
    { text: 'I stopped at two.' },
  ], ['--max-turns', '1'])
  await chat.say('Write them', '1 turn used; go on? [Y/n]')
  day.expect('files before the yes', day.files('turn-1.txt', 'turn-2.txt'), ['1\n', undefined])
  chat.type('y\r')
  await chat.waitFor('2 turns used; go on? [Y/n]')
  day.expect('files before the no', day.files('turn-1.txt', 'turn-2.txt'), ['1\n', '2\n'])
  chat.type('n\r')
  await chat.waitFor('has used all the turns of a message')
  day.expect('requests before the next message', chat.requests().length, 2)
  await chat.say('Where are you?', 'I stopped at two.')
  day.holds('what the model is told then', toldIn(chat.requests()[2]), 'Write them', 'Where are you?')
  await chat.leave()
  day.settle({ log })
}
