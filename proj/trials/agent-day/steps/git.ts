import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'
import { MENDED } from './making.js'

/** A branch by a command that needs a yes, a commit by the model that needs one too, another by the user. */
export async function branchAndCommit(day: Day): Promise<void> {
  const before = day.log()
  const branch = 'topic'
  const chat = await day.chat([
    { text: 'A branch.', calls: [{ do: 'run', command: `git checkout -b ${branch}` }] },
    { text: 'On the branch.' },
    { text: 'Now this.', calls: [{ do: 'write', path: 'sum.js', content: `${MENDED}// of numbers\n` }] },
    { text: 'Said in a comment.' },
    { text: 'I commit.', calls: [{ do: 'commit', message: 'Say of what the sum is' }] },
    { text: 'It is committed.' },
    { text: 'More.', calls: [{ do: 'write', path: 'product.js', content: 'exports.product = (a, b) => a * b\n' }] },
    { text: 'The product is there.' },
  ], [], true)
  chat.type('Make a branch\r')
  await chat.waitFor('Open?')
  chat.type('g\r')
  await chat.waitFor('On the branch.')
  day.expect('the branch', day.git('branch', '--show-current'), branch)
  await chat.say('Say in sum.js of what', 'Said in a comment.')
  day.write('mine.txt', 'mine\n')
  await chat.say('Commit this', 'Allow?')
  day.holds('the question', chat.everything(), 'Say of what the sum is', 'sum.js')
  day.expect('the history before the yes', day.log(), before)
  chat.type('o\r')
  await chat.waitFor('It is committed.')
  day.expect('the history after the commit of the model', day.log(), ['Say of what the sum is', ...before])
  day.expect('its files', day.git('show', '--format=', '--name-only'), 'sum.js')
  await chat.say('Write the product', 'The product is there.')
  await chat.say('/commit', 'Change the message in the line')
  chat.type('\x15/commit Multiply, too\r')
  await chat.waitFor('Committed as')
  await chat.leave()
  day.expect('files of the commit of the user', day.git('show', '--format=', '--name-only'), 'product.js')
  const [first] = chat.requests()
  const offered = JSON.stringify(first?.tools ?? first?.messages[0]?.content)
  day.holds('what the model is offered', offered, 'git_commit')
  day.holds('what the model was told of its branch', toldIn(chat.requests()[1]), branch)
  day.settle({
    refs: ['refs/heads/main', `refs/heads/${branch}`], log: ['Multiply, too', 'Say of what the sum is', ...before],
  })
  day.holds('the status', day.status().join('\n'), '?? mine.txt')
}

/** What a command made that looks secret, bulk or binary is in no commit that was not asked for by name. */
export async function keepOut(day: Day): Promise<void> {
  const before = day.log()
  const install = 'mkdir -p .venv/lib && for i in $(seq 200); do echo $i > .venv/lib/$i.py; done; '
    + 'touch .venv/pyvenv.cfg; echo TOKEN=abc > .env; echo key > secret.pem; '
    + 'head -c 3000000 /dev/zero > big.bin; echo kept > made.txt'
  const chat = await day.chat([
    { text: 'I install.', calls: [{ do: 'run', command: install }] },
    { text: 'Installed.' },
    { text: 'I commit.', calls: [{ do: 'commit', message: 'What was made' }] },
    { text: 'Committed what belongs there.' },
  ], [], true)
  await chat.say('Install it', 'Installed.')
  day.expect('the history before anybody asked', day.log(), before)
  await chat.say('Commit it', 'Allow?')
  chat.type('o\r')
  await chat.waitFor('Committed what belongs there.')
  day.expect('the files of the commit', day.git('show', '--format=', '--name-only'), 'made.txt')
  day.holds('what the model was told', toldIn(chat.requests().at(-1)), '.env', '.venv', 'secret.pem', 'big.bin')
  await chat.say('/undo', 'Took back')
  await chat.leave()
  day.settle({ log: ['What was made', ...before] })
}
