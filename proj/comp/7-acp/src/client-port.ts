import type {
  AgentContext, ClientCapabilities, PermissionOption, RequestPermissionOutcome, RequestPermissionResponse,
  SessionUpdate, ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { firstStop } from '../../2-processes/src/index.js'

/** What a session says to its client, the editor, and asks of it (Agent Client Protocol). */
export interface ClientPort {
  readonly capabilities: ClientCapabilities
  /** Resolves when it is written, so that who sends much waits for a slow client; or when the client has left. */
  update(update: SessionUpdate): Promise<void>
  /** @throws what the client answers in place of an outcome, or an error once `signal` is aborted */
  permission(
    toolCall: ToolCallUpdate, options: PermissionOption[], signal: AbortSignal,
  ): Promise<RequestPermissionOutcome>
  /** The text of a file as the editor has it. @throws as `permission` */
  readText(path: string, signal: AbortSignal): Promise<string>
  /** A form of one field. @returns what was filled in; `undefined` where the user declined. @throws as `permission` */
  form(message: string, title: string, preset: string | undefined, signal: AbortSignal): Promise<string | undefined>
}

/** The port of one session. @param closed aborted when the client has left */
export function clientPort(
  client: AgentContext, closed: AbortSignal, sessionId: string, capabilities: ClientCapabilities,
): ClientPort {
  const cancelled = (signal: AbortSignal) => ({ cancellationSignal: signal, stopWaitingOnCancel: true })
  return {
    capabilities,
    async update(update) {
      if (closed.aborted) return
      try {
        await firstStop(client.notify('session/update', { sessionId, update }), { signal: closed })
      } catch (error) {
        // The client has left, and its session is being ended: nobody needs the update.
        if (!closed.aborted) throw error
      }
    },
    async permission(toolCall, options, signal) {
      const answer = await client.request<RequestPermissionResponse>(
        'session/request_permission', { sessionId, toolCall, options }, cancelled(signal),
      )
      return answer.outcome
    },
    async readText(path, signal) {
      return (await client.request('fs/read_text_file', { sessionId, path }, cancelled(signal))).content
    },
    async form(message, title, preset, signal) {
      const field = { type: 'string' as const, title, ...(preset !== undefined && { default: preset }) }
      const answer = await client.request('elicitation/create', {
        sessionId, mode: 'form', message,
        requestedSchema: { type: 'object', properties: { answer: field }, required: ['answer'] },
      }, cancelled(signal))
      const fields = answer.action === 'accept' && 'content' in answer ? answer.content : undefined
      const text = (fields as Record<string, unknown> | null | undefined)?.['answer']
      return typeof text === 'string' ? text : undefined
    },
  }
}
