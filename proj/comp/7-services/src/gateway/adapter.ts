import type { ProgressMessage } from './turn-progress.js'

/** A user's message from an adapter, whose sender was authenticated. */
export interface InboundMessage {
  /** Unique for the message: a repeated one is answered once. */
  id: string
  /** A thread or direct conversation: each has its own agent session. */
  conversation: string
  /** As in the allow-list. */
  user: string
  text: string
}

/** An HTTP request with its whole body. */
export interface InboundRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
  /** Milliseconds since the epoch. */
  nowMs: number
}

/** The response to a request, and the message it contained. */
export interface Received {
  status: number
  /** As JSON. */
  body: unknown
  message?: InboundMessage
  /** Why it was refused: for the owner's log only; the sender is not told. */
  problem?: string
}

/** A channel for messages. Each adapter is one file; the gateway does the rest. */
export interface Adapter {
  name: string
  /** Path that its requests are posted to. */
  path: string
  /** Users who may write; all others are ignored. */
  allowedUsers: readonly string[]
  /** Authenticates a request before anything else, and reads it. Never throws because of its content. */
  receive(request: InboundRequest): Received
  /** Sends a text to a conversation. @throws HermesError `UNREACHABLE` when it gives up */
  send(conversation: string, text: string, signal: AbortSignal): Promise<void>
  /** Shows a turn's progress; absent if the adapter cannot. */
  progress?(conversation: string): ProgressMessage
}
