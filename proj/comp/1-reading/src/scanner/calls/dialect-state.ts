import type { CallForm, Dialect, ElementsForm, JsonForm, PythonForm, TagForm, Wrapper } from '../../dialects/index.js'
import type { CallEnd } from './call-end.js'
import type { DialectField, TextPlace } from '../items.js'
import type { PythonSpan } from './python-span.js'

/** What a call begins with, and where. */
export interface CallStart {
  /** Where its item begins: at the wrapper for the first in one. */
  item: TextPlace
  /** Where its sentinel stands. */
  start: TextPlace
}

export interface HeadPhase extends CallStart {
  phase: 'head'
  forms: readonly CallForm[]
  /** It may be no call: then its lines are read for what else they are, with `paragraph` as it was above them. */
  isLikely?: { paragraph: boolean }
}

export interface InCall extends CallStart {
  name: string | undefined
  id: string | undefined
}

export interface FieldsPhase extends InCall {
  phase: 'fields'
  form: ElementsForm
  fields: DialectField[]
  /** A parameter's sentinel that is not whole so far. */
  begun?: TextPlace
}

export interface ValuePhase extends InCall {
  phase: 'value'
  form: ElementsForm | TagForm
  fields: DialectField[]
  /** `''` for a text that says nothing. */
  key: string
  /** Its closer. */
  close: string
  isJson: boolean
  /** Where its text begins. */
  value: TextPlace
  /** Parameters that opened inside it, first on their lines, and are still to close. */
  depth: number
  /** Line of the first of these. */
  inner?: number
  /** A closer whose line says nothing more: the next line decides whether it was one. */
  closer?: TextPlace
  /** Behind the first closer of the call in it: there reading resumes if the value never ends. */
  ownEnd?: TextPlace
}

export interface SpanPhase extends InCall {
  phase: 'span'
  form: JsonForm | PythonForm
  json: CallEnd
  python: PythonSpan
  /** Where the JSON or Python begins. */
  content: TextPlace
}

export interface ClosingPhase extends InCall {
  phase: 'closing'
  form: JsonForm | PythonForm
  content: TextPlace
  /** Behind the content. */
  end: TextPlace
  isFenced: boolean
}

/** Something in the call is none of it: all up to the call's closer is passed over. */
export interface BrokenPhase extends InCall {
  phase: 'broken'
  form: ElementsForm
  message: string
}

export type CallPhase = HeadPhase | FieldsPhase | ValuePhase | SpanPhase | ClosingPhase | BrokenPhase

/** Calls of one dialect, one after the other. */
export interface OpenDialect {
  dialect: Dialect
  wrapper: Wrapper | undefined
  /** Where the wrapper or the first call opened; later where the last call ended. */
  opened: TextPlace
  /** Calls that were found. */
  count: number
  /** Between calls there is none. */
  call: CallPhase | undefined
}

/** From where on the text is needed. */
export function heldFrom({ call, opened }: OpenDialect): TextPlace {
  return call?.item ?? opened
}

/** Where reading goes on within the calls, or, where it `leaves` them, for all; `undefined` at the line's end. */
export type Step = { at: number; leaves?: true } | undefined
