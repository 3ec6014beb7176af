import { shamBlock } from '../../../comp/1-registry/src/registry/index.js'
import { toldIn } from '../conversation.js'
import { KEY, type Day } from '../day.js'

/** A call in the text of an answer by function calling, thoughts in it, a stream without a reason for its end. */
export async function oddServers(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const call = JSON.stringify({ name: 'write_file', arguments: { path: 'leaked.txt', content: 'heard\n' } })
  const { stdout, code, requests } = await day.ask('Write leaked.txt', [
    { text: `<think>\nI should write.\n</think>\nNow.\n<tool_call>${call}</tool_call>` },
    { text: '<think>\nIt is there, secretly.\n</think>\n\nWritten.', fault: 'unfinished' },
  ])
  day.expect('exit code', code, 0)
  day.expect('standard output', stdout.trim(), 'Written.')
  day.expect('the file', day.files('leaked.txt'), ['heard\n'])
  day.expect('requests', requests.length, 2)
  day.holds('its result', toldIn(requests[1]), 'leaked.txt')
  await day.hermes('undo')
  day.expect('the file after hermes undo', day.files('leaked.txt'), [undefined])
  day.settle({ log, status })
}

/** A server that takes no tools: the agent asks for blocks from then on. */
export async function noTools(day: Day): Promise<void> {
  const [log, status] = [day.log(), day.status()]
  const block = shamBlock('abc', 'file_write', { path: 'toolless.txt', content: 'by a block' })
  const refusal = { status: 400, text: 'registry.example/model:1b does not support tools' }
  const { stdout, stderr, code, requests } = await day.ask('Write toolless.txt', [
    ...(day.style === 'native' ? [refusal] : []), { text: block }, { text: 'Written by a block.' },
  ])
  day.expect('exit code', code, 0)
  day.expect('standard output', stdout, 'Written by a block.\n')
  if (day.style === 'native') day.holds('standard error', stderr, /blocks/)
  const withTools = requests.filter(({ tools }) => tools !== undefined).length
  day.expect('requests with tools', withTools, day.style === 'native' ? 1 : 0)
  day.expect('the file', day.files('toolless.txt'), ['by a block'])
  await day.hermes('undo')
  day.settle({ log, status })
}

/** A secret of the environment that a file holds reaches neither the model nor what is kept of the conversation. */
export async function secrets(day: Day): Promise<void> {
  const log = day.log()
  day.write('settings.txt', `key = ${KEY}\n`)
  const { stdout, stderr, requests } = await day.ask('Read settings.txt', [
    { text: 'I read.', calls: [{ do: 'read', path: 'settings.txt' }, { do: 'run', command: 'cat settings.txt; env' }] },
    { text: 'It holds a key.' },
  ], ['--keep'])
  day.expect('requests', requests.length, 2)
  day.holds('what the model was told', toldIn(requests[1]), 'key = ', 'masked')
  for (const [what, text] of Object.entries({
    stdout, stderr, 'what the model was sent': JSON.stringify(requests), 'what is kept': day.kept(),
  })) day.lacks(what, text, KEY)
  day.settle({ log })
}
