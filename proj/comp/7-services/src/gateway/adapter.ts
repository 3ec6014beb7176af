import type { ProgressMessage } from './turn-progress.js'

/** A message of a user that has come by an adapter, its sender proved. */
export interface InboundMessage {
  /** Unique for the message: what comes twice is answered once. */
  id: string
  /** A thread, a direct conversation: each has an agent session of its own. */
  conversation: string
  /** As the allow-list has it. */
  user: string
  text: string
}

/** One HTTP request, its body whole. */
export interface InboundRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
  /** Milliseconds since the epoch. */
  nowMs: number
}

/** The answer to the request, and what it brought. */
export interface Received {
  status: number
  /** JSON. */
  body: unknown
  message?: InboundMessage
  /** Why it was refused: for the log of the owner, the sender learns only that it was. */
  problem?: string
}

/** A way in and out for messages. Each stands in one file; the gateway does the rest. */
export interface Adapter {
  name: string
  /** Where its requests are posted to. */
  path: string
  /** Who may write; nobody else is heard. */
  allowedUsers: readonly string[]
  /** Proves who sent it before anything else, and reads it. Never throws for what a request holds. */
  receive(request: InboundRequest): Received
  /** Sends a text to a conversation. @throws HermesError `UNREACHABLE` when it gives up */
  send(conversation: string, text: string, signal: AbortSignal): Promise<void>
  /** How far a turn is; without it that is not told. */
  progress?(conversation: string): ProgressMessage
}
