import type { RequestError } from '@agentclientprotocol/sdk'
import { HermesError } from '../../0-contracts/src/index.js'
import type { Sdk } from './acp-setup.js'

/** JSON-RPC's own numbers. */
const INVALID_PARAMS = -32602
const INTERNAL = -32603
/** What is wrong with the request itself. */
const OF_REQUEST = new Set(['INVALID_OPTION', 'INVALID_PARAMETER', 'ENOENT', 'ENOTDIR'])

/** A failure of hermes as the protocol has it: editors show the message, so the hint stands in it. */
export function requestError(sdk: Pick<Sdk, 'RequestError'>, error: unknown): RequestError {
  if (error instanceof sdk.RequestError) return error
  if (!(error instanceof HermesError)) {
    const message = error instanceof Error ? error.message : String(error)
    return new sdk.RequestError(INTERNAL, `hermes failed: ${message}`, { code: 'INTERNAL' })
  }
  const { code, message, hint } = error
  const text = hint === undefined ? message : `${message}. ${hint}`
  return new sdk.RequestError(OF_REQUEST.has(code) ? INVALID_PARAMS : INTERNAL, text, {
    code, ...(hint !== undefined && { hint }),
  })
}
