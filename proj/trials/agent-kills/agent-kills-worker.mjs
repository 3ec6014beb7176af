/** Works at the task until it is done or killed. Arguments: root, sessions, base URL, model, style. */
import { Agent, openSessionStore } from '../../../dist/agent.js'

const [root, directory, baseURL, model, style] = process.argv.slice(2)
const agent = new Agent({
  model, baseURL, root, style, blocksFormat: 'tool_call', policy: false, sandbox: 'none', gitCommit: false, quiet: true,
  maxTurns: 100, sessions: openSessionStore({ directory }),
})
const { messages } = await agent.task({ taskId: 'task' })
const events = messages.length === 0 ? agent.run('Write the steps.', { taskId: 'task' })
  : agent.resume({ taskId: 'task' })
for await (const event of events) if (event.type === 'end' && event.reason === 'answer') process.exitCode = 42
await agent[Symbol.asyncDispose]()
