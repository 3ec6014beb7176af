/** The model that `chat` and `batch` ask in the trial: it wants each tool once that starts or loads something. */
import type { ModelServer } from '../../comp/6-agent/test/agent/support/model-server.js'
import { startModelServer } from '../../comp/6-agent/test/agent/support/model-server.js'
import { readAnswer } from '../../comp/6-agent/test/agent/support/script.js'

const TURN = [
  'Now this.', '@call#a execute_command {"command": "true"}', '@call#b search_files {"query": "greet"}',
  '@call#c write_file {"path": "chat.txt", "content": "text"}',
].join('\n')

export async function startScriptedModel(): Promise<ModelServer> {
  const server = await startModelServer()
  server.improvise('scripted', ({ messages }) => (
    messages.at(-1)?.role === 'tool' ? readAnswer('answer', 'Done.') : readAnswer('answer', TURN)
  ))
  return server
}
