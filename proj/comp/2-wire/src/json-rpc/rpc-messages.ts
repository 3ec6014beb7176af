/** Id of a request; each side counts its own. */
export type MessageId = number | string

/** The other side of the connection, for handlers. */
export interface Peer {
  /**
   * Sends a request. Rejects with `RpcError`: the other side's error, or `requestCancelled` where the signal was
   * aborted, the time ran out, or the connection ended.
   */
  request(method: string, params?: object, options?: RequestOptions): Promise<unknown>
  /** Sends a notification. Resolves when the system has taken it; awaiting it gives back-pressure. */
  notify(method: string, params?: object): Promise<void>
}

export interface RequestOptions {
  /** Aborting it sends `$/cancelRequest` and rejects at once. */
  signal?: AbortSignal
  /** In milliseconds; the request is then cancelled. Default: none. */
  timeoutMs?: number
}

/** Context of a request. */
export interface CallContext {
  readonly id: MessageId
  readonly peer: Peer
  /** Aborted by `$/cancelRequest` and by the end of the connection. */
  readonly signal: AbortSignal
}

/** Returns the result, or throws: an `RpcError`, or any error, which `wireError` converts. */
export type RequestHandler = (params: unknown, context: CallContext) => unknown
/** What it throws goes to `onProblem`. */
export type NotificationHandler = (params: unknown, peer: Peer) => unknown

/** Methods that a side handles. Names are case-sensitive; `$/cancelRequest` is handled by the connection. */
export interface Methods {
  requests: Readonly<Record<string, RequestHandler>>
  notifications?: Readonly<Record<string, NotificationHandler>>
}

/** A problem of the connection rather than of a request; one line, for a log. */
export interface Problem {
  kind:
    /** A frame or JSON that cannot be parsed; the other side was told. */
    | 'unreadable'
    /** A message over the size limit; it was skipped, and the other side was told. */
    | 'too-large'
    /** JSON that is no message, a notification without handler, or one whose handler failed. */
    | 'unhandled'
    /** An answer to a request that was never made, or is already answered. */
    | 'unexpected-answer'
    /** Input or output failed, or the other side does not read. */
    | 'broken'
  message: string
}
