import { HermesError } from '../../../0-contracts/src/index.js'
import { LEAST_REPLY_TOKENS } from '../../../1-reports/src/index.js'

/** What the functions that run the calls of a response take besides. */
export interface CallOptions {
  /** Aborting it kills the running command; calls not yet started are answered with `CANCELLED`. */
  signal?: AbortSignal | undefined
  /** Names of tools that are not of hermes: their calls are left to the caller, and get no answer. */
  except?: readonly string[] | undefined
  /**
   * Most tokens of the `data` of one answer; default: `reply.call_tokens` of the policy files, else 10,000. In place
   * of longer data stands its text, cut at lines, which says how to read on.
   */
  callTokens?: number | undefined
  /**
   * Longest `data` of one answer, in characters of JSON; default: what `callTokens` allows. In a longer one long texts
   * and lists are shortened, and the answer's hint says so.
   */
  maxDataLength?: number | undefined
}

/** How much one answer may say. */
export type DataBounds = Pick<CallOptions, 'callTokens' | 'maxDataLength'>

/** Below it nothing readable would be left. */
const LEAST_LENGTH = 1000

/** @throws HermesError `INVALID_OPTION` */
export function checkDataBounds({ callTokens = Infinity, maxDataLength = Infinity }: DataBounds): void {
  requireAtLeast('callTokens', callTokens, LEAST_REPLY_TOKENS, 'tokens')
  requireAtLeast('maxDataLength', maxDataLength, LEAST_LENGTH, 'characters')
}

function requireAtLeast(option: string, given: number, least: number, unit: string): void {
  if (typeof given === 'number' && given >= least) return
  throw new HermesError('INVALID_OPTION', `Invalid option ${option}: ${String(given)}`, {
    hint: `Give a number of ${unit}, at least ${least}.`,
  })
}
