/** What hermes answered in place of a result. */
export class RequestError extends Error {
  /** One of `EXTENSION_ERRORS`, or of JSON-RPC. */
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.name = 'RequestError'
    this.code = code
    this.data = data
  }
}
