import { usageError } from '../../../0-text/src/index.js'
import type { RunResult } from '../../../5-executor/src/index.js'
import { LEAST_REPLY_TOKENS } from '../../../1-reports/src/index.js'

/** Further options of the functions that run the calls of a response. */
export interface CallOptions {
  /** Aborting it kills the running command; calls not yet started are answered with `CANCELLED`. */
  signal?: AbortSignal | undefined
  /** Names of tools that are not hermes': their calls are left to the caller, and get no answer. */
  except?: readonly string[] | undefined
  /**
   * Most tokens of the `data` of one answer; default: `reply.call_tokens` of the policy files, else 10,000. Longer data
   * is replaced by its text, cut at lines, which says how to read on.
   */
  callTokens?: number | undefined
  /**
   * Longest `data` of one answer, in characters of JSON; default: what `callTokens` allows. In longer data long texts
   * and lists are shortened, and the answer's hint says so.
   */
  maxDataLength?: number | undefined
  /**
   * Called once the calls have run, with the result of their run, in which call N stands on line N. Not called where
   * none could run.
   */
  onResult?: ((result: RunResult) => void) | undefined
}

/** Size limits of one answer. */
export type DataBounds = Pick<CallOptions, 'callTokens' | 'maxDataLength'>

/** Least limit, in characters: with less, nothing readable would be left. */
const LEAST_LENGTH = 1000

/** @throws HermesError `INVALID_OPTION` */
export function checkDataBounds({ callTokens = Infinity, maxDataLength = Infinity }: DataBounds): void {
  requireAtLeast('callTokens', callTokens, LEAST_REPLY_TOKENS, 'tokens')
  requireAtLeast('maxDataLength', maxDataLength, LEAST_LENGTH, 'characters')
}

function requireAtLeast(option: string, given: number, least: number, unit: string): void {
  if (typeof given === 'number' && given >= least) return
  throw usageError(`Invalid option ${option}: ${String(given)}`, `Give a number of ${unit}, at least ${least}.`)
}
