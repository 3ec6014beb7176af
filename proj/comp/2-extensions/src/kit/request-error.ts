/** What hermes answered in place of a result. */
export class RequestError extends Error {
  /** @param code one of `EXTENSION_ERRORS`, or of JSON-RPC */
  constructor(readonly code: number, message: string, readonly data: unknown) {
    super(message)
    this.name = 'RequestError'
  }
}
