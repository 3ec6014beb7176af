/**
 * Error codes of answers: those of JSON-RPC 2.0 (section 5.1), those the Language Server Protocol adds to them, and
 * from the range left to servers our own.
 */
export const RPC = {
  /** No JSON, no UTF-8, or a frame that cannot be read. */
  parseError: -32700,
  /** JSON, but no request; also an id that is in use, and a message that is too large. */
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The request was understood and failed: `data.code` and `data.hint` say more. */
  requestFailed: -32000,
  /** Too many requests are in flight; nothing was done. */
  serverBusy: -32001,
  /** `initialize` has not been answered yet (LSP). */
  notInitialized: -32002,
  /** The caller cancelled it (LSP). */
  requestCancelled: -32800,
} as const
