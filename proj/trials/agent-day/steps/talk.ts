import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'

/** A command of the user's own, told to the model with the next message; then `/cost`, of this conversation alone. */
export async function ownCommand(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const chat = await day.chat([{ text: 'It failed, I see.' }, { text: 'Nothing new.' }])
  await chat.say('!echo by-the-user > own.txt; cat own.txt; exit 3', /^exit 3$/m)
  day.expect('requests before the message', chat.requests().length, 0)
  day.expect('what the command made', day.files('own.txt'), ['by-the-user\n'])
  await chat.say('What came of it?', 'It failed, I see.')
  day.holds('the message', chat.requests()[0]?.messages.at(-1)?.content ?? '',
    'What came of it?', 'The user ran a command of their own', 'cat own.txt', '(exit 3)', 'by-the-user')
  await chat.say('And now?', 'Nothing new.')
  day.expect('the message after it', chat.requests()[1]?.messages.at(-1)?.content, 'And now?')
  await chat.say('/cost', 'since it was opened here')
  day.holds('the cost', chat.everything(), /Requests +2\n/, /Tokens in +200\n/, /Tokens out +40\n/)
  await chat.leave()
  day.settle({ log })
  day.expect('what is new', day.status().filter((line) => !status.includes(line)), ['?? own.txt'])
}

/** `@` and the beginning of a path: Tab completes it, and the model, which is told the path, reads the file. */
export async function namedFile(day: Day): Promise<void> {
  day.write('named-in-the-chat.txt', 'words of the file\n')
  const [log, status] = [day.log(), day.status()]
  const chat = await day.chat([
    { text: 'I look.', calls: [{ do: 'read', path: 'named-in-the-chat.txt' }] }, { text: 'It holds words.' },
  ])
  chat.type('Look at @named-i\t')
  await chat.waitFor('@named-in-the-chat.txt')
  chat.type('\r')
  await chat.waitFor('It holds words.')
  const [first, second] = chat.requests().map(toldIn)
  day.holds('the message', first ?? '', 'Look at @named-in-the-chat.txt')
  day.lacks('the message', first ?? '', 'words of the file')
  day.holds('what was read', second ?? '', 'words of the file')
  await chat.leave()
  day.settle({ log, status })
}

const WAIT = 'touch waiting; while [ ! -e go ]; do sleep 0.1; done; rm waiting go'

/** `/steer`: the model gets the words at its next call; what waits without it comes after the answer. */
export async function steered(day: Day): Promise<void> {
  const log = day.log()
  const chat = await day.chat([
    { text: 'I wait.', calls: [{ do: 'run', command: WAIT }] }, { text: 'The blue one, then.' }, { text: 'Thirdly.' },
  ])
  chat.type('take one\r')
  await chat.waitFor(() => day.files('waiting')[0] !== undefined)
  await chat.say('/steer take the blue one', 'at the next call: take the blue one')
  await chat.say('and afterwards', 'next: and afterwards')
  day.write('go', '')
  await chat.waitFor('Thirdly.')
  const [before, at, after] = chat.requests().map(toldIn)
  day.lacks('the first request', before ?? '', 'take the blue one')
  day.holds('the request after the call', at ?? '', 'The user says, while you work:', 'take the blue one')
  day.lacks('the request after the call', at ?? '', 'and afterwards')
  day.holds('the request after the answer', after ?? '', 'take the blue one', 'and afterwards')
  await chat.leave()
  day.settle({ log })
}
