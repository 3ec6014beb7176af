import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'
import type { Turn } from '../script.js'

const both = (text: string): Turn => ({
  text: 'Both.',
  calls: ['one.txt', 'two.txt'].map((path) => ({ do: 'write', path, content: `${text}\n` })),
})

/** `/undo` of a message and of a file, where the user edited one meanwhile; then `hermes undo` and `redo`. */
export async function takeBack(day: Day): Promise<void> {
  day.write('one.txt', 'old\n')
  day.write('two.txt', 'old\n')
  const [log, status] = [day.log(), day.status()]
  const chat = await day.chat([
    both('first'), { text: 'Changed once.' }, both('second'), { text: 'Changed twice.' }, { text: 'I know.' },
    both('third'), { text: 'Changed three times.' },
  ])
  const pair = (): unknown => day.files('one.txt', 'two.txt')
  await chat.say('change both', 'Changed once.')
  await chat.say('change them anew', 'Changed twice.')
  await chat.say('/undo', 'Took back: change them anew')
  day.expect('after the last message was taken back', pair(), ['first\n', 'first\n'])
  chat.type('\x03')
  day.write('two.txt', 'mine\n')
  await chat.say('/undo', 'The message stays')
  day.expect('after the user edited one of two', pair(), ['old\n', 'mine\n'])
  await chat.say('go on', 'I know.')
  const told = toldIn(chat.requests().at(-1))
  day.holds('what the model is told', told, 'took back', 'one.txt', 'two.txt')
  day.lacks('what the model is told', told, 'change them anew')
  await chat.say('once more', 'Changed three times.')
  await chat.say('/undo two.txt', 'as before: two.txt')
  day.expect('after one file was taken back', pair(), ['third\n', 'mine\n'])
  await chat.leave()
  const undone = await day.hermes('undo')
  day.expect('hermes undo exits with', undone.code, 0)
  day.expect('after hermes undo', pair(), ['old\n', 'mine\n'])
  const redone = await day.hermes('redo')
  day.expect('hermes redo exits with', redone.code, 0)
  day.expect('one.txt after hermes redo', day.files('one.txt'), ['third\n'])
  day.settle({ log, status })
}

/** Quits, and goes on: the conversation is there, and is not offered in another root. */
export async function goOn(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const first = await day.chat([{ text: 'Blue, I see.' }])
  await first.say('My colour is blue-of-the-day.', 'Blue, I see.')
  await first.leave()
  const second = await day.chat([{ text: 'It is blue.' }], ['--resume'])
  await second.say('Which is my colour?', 'It is blue.')
  day.holds('the conversation that went on', toldIn(second.requests()[0]), 'blue-of-the-day', 'Which is my colour?')
  await second.leave()
  const elsewhere = await day.start(['chat', '-q', 'hello', '--root', day.home, '--resume'], []).ended
  day.expect('going on elsewhere exits with', elsewhere.code, 2)
  day.expect('requests from elsewhere', elsewhere.requests.length, 0)
  day.settle({ log, status })
}
