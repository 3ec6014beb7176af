import { HermesError } from '../../../0-contracts/src/index.js'

/** What a report says of an error. @param what was interrupted, where it was */
export function errorOf(error: unknown, what: string): { code: string; message: string; hint?: string } {
  if (error instanceof HermesError) {
    const { code, message, hint } = error
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  if (error instanceof DOMException && error.name === 'AbortError') {
    return { code: 'CANCELLED', message: `The ${what} was interrupted` }
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { code: 'INTERNAL', message, hint: 'This is a defect of hermes.' }
}
