import { PassThrough, Readable, Writable } from 'node:stream'
import { join } from 'node:path'
import {
  client, ndJsonStream, type ClientCapabilities, type ClientContext, type McpServer,
  type RequestPermissionRequest, type RequestPermissionResponse, type SessionNotification, type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { createMasker } from '../../../0-text/src/index.js'
import { createPathGate } from '../../../2-files/src/index.js'
import { Agent, newTaskId, openSessionStore, type AgentOptions } from '../../../6-agent/src/index.js'
import { fileUndo } from '../../../7-console/src/index.js'
import { serveAcp, type AcpSetup } from '../../src/index.js'
import type { ModelServer } from '../../../6-agent/test/agent/support/model-server.js'

export type Update<Kind extends SessionUpdate['sessionUpdate']> = Extract<SessionUpdate, { sessionUpdate: Kind }>

/** What an editor of a test does, and offers. */
export interface EditorOptions {
  model?: string
  /** Answers a question with the id of an option; `undefined`: never. */
  answer?: (request: RequestPermissionRequest) => string | undefined
  capabilities?: ClientCapabilities
  /** What it holds of a file. */
  held?: (path: string) => string | undefined
  /** All that it answers when it is asked for a text, in place of `held`. */
  answerText?: () => object
  agent?: Partial<AgentOptions>
  /** Where conversations are kept; default: a place of its own. */
  kept?: string
  yes?: boolean
  /** Sees each update as it comes. */
  onUpdate?: (update: SessionUpdate, editor: Editor) => void
}

/** An editor as the official SDK makes one, and hermes at the other end of two pipes. */
export interface Editor {
  agent: ClientContext
  /** All that was told, in order. */
  updates: SessionNotification[]
  questions: RequestPermissionRequest[]
  root: string
  kept: string
  /** Its end of the pipe to hermes; what else is written there, it has not made. */
  input: PassThrough
  /** Ends when hermes has. */
  served: Promise<Error | undefined>
  newSession(params?: { cwd?: string; mcpServers?: McpServer[] }): Promise<string>
  say(sessionId: string, text: string): Promise<string>
  /** Of one kind, of all sessions. */
  of<Kind extends SessionUpdate['sessionUpdate']>(kind: Kind): Update<Kind>[]
  /** The text of all pieces of the answer. */
  text(): string
  leave(): Promise<void>
}

export function setupFor(
  server: ModelServer, { model = 'm', agent = {}, kept, yes = false }: EditorOptions & { kept: string },
): AcpSetup {
  const sessions = openSessionStore({ directory: kept })
  return {
    version: '1.2.3', yes, sessions, newTaskId,
    openPlace: async ({ root, allow }) => ({
      model, personality: undefined, personalities: {}, toolsets: agent.enabledToolsets, skills: async () => [],
      facts: { version: '1.2.3', root, toolsets: undefined, sandbox: 'none' },
      files: fileUndo({
        root, gate: createPathGate({ root, allow: [...allow], forUser: true }), git: false, waitMs: 0,
        hooks: async () => undefined,
      }),
      gate: async () => createPathGate({ root, allow: [...allow] }),
      server: async (api) => ({ api, baseURL: server.url }), save: async () => join(kept, 'saved.jsonl'),
      typed: (text) => text, masker: createMasker({ SOME_TOKEN: 'secret-token-123' }),
      createAgent: (told, further) => new Agent({
        baseURL: server.url, root, allow, policy: false, sandbox: 'none', gitCommit: false, quiet: true,
        maxRetryWaitMs: 20, sessions, model: told.model, ...agent, ...further,
      }),
    }),
  }
}

/** Connected and greeted. It leaves by itself: `await using`. */
export async function openEditor(
  server: ModelServer, options: EditorOptions = {},
): Promise<Editor & AsyncDisposable> {
  const [root, kept] = [tempDir(), options.kept ?? tempDir()]
  const [input, output] = [new PassThrough(), new PassThrough()]
  const setup = setupFor(server, { ...options, kept })
  const served = serveAcp({ setup, input, output, signal: new AbortController().signal })
  // As when its process has ended.
  void served.then(() => output.end())
  const editor = { updates: [], questions: [], root, kept, input, served } as unknown as Editor
  const { answer = () => 'once', held, answerText, onUpdate, capabilities = {} } = options
  const connection = client({ name: 'editor' })
    .onNotification('session/update', ({ params }) => {
      editor.updates.push(params)
      onUpdate?.(params.update, editor)
    })
    .onRequest('session/request_permission', async ({ params, signal }): Promise<RequestPermissionResponse> => {
      editor.questions.push(params)
      const optionId = answer(params)
      if (optionId !== undefined) return { outcome: { outcome: 'selected', optionId } }
      await new Promise((resolve) => { signal.addEventListener('abort', resolve) })
      return { outcome: { outcome: 'cancelled' } }
    })
    .onRequest('fs/read_text_file', ({ params: { path } }) => {
      if (answerText) return answerText() as { content: string }
      const content = held?.(path)
      if (content === undefined) throw new Error(`No such buffer: ${path}`)
      return { content }
    })
    .connect(ndJsonStream(
      Writable.toWeb(input) as WritableStream<Uint8Array>, Readable.toWeb(output) as ReadableStream<Uint8Array>,
    ))
  const { agent } = connection
  Object.assign(editor, {
    agent,
    async newSession(params: { cwd?: string; mcpServers?: McpServer[] } = {}) {
      return (await agent.request('session/new', { cwd: root, mcpServers: [], ...params })).sessionId
    },
    async say(sessionId: string, text: string) {
      return (await agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })).stopReason
    },
    of: <Kind extends SessionUpdate['sessionUpdate']>(kind: Kind) => editor.updates.map(({ update }) => update)
      .filter((update): update is Update<Kind> => update.sessionUpdate === kind),
    text: () => editor.of('agent_message_chunk')
      .map(({ content }) => (content.type === 'text' ? content.text : '')).join(''),
    async leave() {
      input.end()
      await served
      connection.close()
    },
  } satisfies Partial<Editor>)
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities })
  return { ...editor, [Symbol.asyncDispose]: async () => editor.leave() }
}
