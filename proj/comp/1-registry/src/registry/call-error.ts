import type { ParseError } from '../../../0-contracts/src/index.js'

/** What is wrong with a call: one line a model can act on, and what to write instead. */
export type CallError = Pick<ParseError['error'], 'code' | 'message' | 'hint'>
