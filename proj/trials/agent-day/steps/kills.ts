import type { Day } from '../day.js'
import { toldIn } from '../conversation.js'

/** kill -9 while a command runs: it may have worked, and the model is told so; what it did is there once. */
export async function killInCommand(day: Day): Promise<void> {
  const log = day.log()
  // An argument that no other process of the machine has.
  const slept = `sleep 300.${process.pid}`
  const life = day.start(['chat', '-q', 'Add a line', '--keep'], [
    { text: 'I add.', calls: [{ do: 'run', command: `echo begun >> killed.log; ${slept}; echo ended >> killed.log` }] },
  ])
  await day.until('the command', () => Promise.resolve(day.files('killed.log')[0] !== undefined))
  life.child.kill('SIGKILL')
  await life.ended
  const next = await day.ask('Go on.', [
    { text: 'I look.', calls: [{ do: 'read', path: 'killed.log' }] }, { text: 'It had begun.' },
  ], ['--resume', '--keep'])
  day.expect('exit code', next.code, 0)
  day.expect('standard output', next.stdout, 'It had begun.\n')
  day.holds('what the model was told', toldIn(next.requests[0]), 'Add a line', 'Unknown outcome')
  day.expect('the line', day.files('killed.log'), ['begun\n'])
  day.expect('commands left', day.runs(slept), false)
  const undone = await day.hermes('undo')
  day.expect('hermes undo exits with', undone.code, 0)
  day.expect('after hermes undo', day.files('killed.log'), [undefined])
  day.settle({ log })
}

/** kill -9 of a conversation that nobody goes on with: others work all the same, and nothing of it is committed. */
export async function killAndLeave(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  for (const isAsked of [true, false]) {
    const life = day.start(['chat', '-q', 'Write and wait'], [{
      text: 'I write.',
      calls: [
        { do: 'write', path: 'left.txt', content: 'written\n' },
        { do: 'run', command: `touch left.begun; sleep 302.${process.pid}` },
      ],
    }])
    await day.until('the command', () => Promise.resolve(day.files('left.begun')[0] !== undefined))
    life.child.kill('SIGKILL')
    await life.ended
    if (isAsked) day.expect('hermes recover exits with', (await day.hermes('recover')).code, 0)
    const next = await day.ask('Write the next', [
      { text: 'Now.', calls: [{ do: 'write', path: 'next.txt', content: 'next\n' }] }, { text: 'Written.' },
    ])
    day.expect('the next answer', next.stdout, 'Written.\n')
    day.expect('files', day.files('left.txt', 'left.begun', 'next.txt'), ['written\n', '', 'next\n'])
    for (const undone of ['the next', 'what was left']) {
      day.expect(`hermes undo of ${undone} exits with`, (await day.hermes('undo')).code, 0)
    }
    day.settle({ log, status })
  }
}

/** kill -9 while the model answers: what completed is not run again. */
export async function killBetween(day: Day): Promise<void> {
  const log = day.log()
  const life = day.start(['chat', '-q', 'Count', '--keep'], [
    { text: 'One.', calls: [{ do: 'run', command: 'echo one >> count.log' }] },
    { text: 'Then', fault: 'hang' },
  ])
  await day.until('the second request', () => Promise.resolve(life.requests().length === 2))
  life.child.kill('SIGKILL')
  await life.ended
  const next = await day.ask('Go on.', [{ text: 'It is one.' }], ['--resume'])
  day.expect('exit code', next.code, 0)
  day.holds('what the model was told', toldIn(next.requests[0]), 'Count', 'Go on.')
  day.lacks('what the model was told', toldIn(next.requests[0]), 'Unknown outcome')
  day.expect('the count', day.files('count.log'), ['one\n'])
  day.settle({ log })
}
