/** What identifies a request; each side counts its own. */
export type MessageId = number | string

/** The other side, as a handler sees it. */
export interface Peer {
  /**
   * Asks and waits. Rejects with `RpcError`: what the other side answered, or `requestCancelled` where the signal was
   * aborted, the time ran out, or the connection ended.
   */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>
  /** Tells. Resolves when it has been handed to the system: awaiting it is back-pressure. */
  notify(method: string, params?: object): Promise<void>
}

export interface RequestOptions {
  /** Aborting it sends `$/cancelRequest` and rejects at once. */
  signal?: AbortSignal
  /** In milliseconds; when it is over the request is cancelled. Default: none. */
  timeoutMs?: number
}

/** What comes with a request. */
export interface CallContext {
  readonly id: MessageId
  readonly peer: Peer
  /** Aborted by `$/cancelRequest` and by the end of the connection. */
  readonly signal: AbortSignal
}

/** Returns the result, or throws: `RpcError`, or anything else as `wireError` has it. */
export type RequestHandler = (params: unknown, context: CallContext) => unknown
/** What it throws goes to `onProblem`. */
export type NotificationHandler = (params: unknown, peer: Peer) => unknown

/** What a side answers to. Names are matched exactly; `$/cancelRequest` is the connection's own. */
export interface Methods {
  requests: Readonly<Record<string, RequestHandler>>
  notifications?: Readonly<Record<string, NotificationHandler>>
}

/** What went wrong with the connection rather than with a request; one line, for a log. */
export interface Problem {
  kind:
    /** A frame or JSON that cannot be read; the other side was told. */
    | 'unreadable'
    /** A message of more bytes than are taken; it was skipped, and the other side was told. */
    | 'too-large'
    /** JSON that is no message, a notification nobody handles, or a handler of one that failed. */
    | 'unhandled'
    /** An answer to a request that was never made, or that has been answered. */
    | 'unexpected-answer'
    /** Input or output failed, or the other side does not read. */
    | 'broken'
  message: string
}
