import type { CallForm, Dialect, ElementsForm, JsonForm, PythonForm, TagForm, Wrapper } from '../../dialects/index.js'
import type { CallEnd } from './call-end.js'
import type { DialectField, TextPlace } from '../items.js'
import type { PythonSpan } from './python-span.js'

/** Where a call begins. */
export interface CallStart {
  /** Start of its item: at the wrapper for the first call in one. */
  item: TextPlace
  /** Place of its sentinel. */
  start: TextPlace
}

export interface HeadPhase extends CallStart {
  phase: 'head'
  forms: readonly CallForm[]
  /** It may turn out to be no call; its lines are then read again, with `paragraph` as it was above them. */
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
  /** Place of a parameter's opening that is still incomplete. */
  begun?: TextPlace
}

export interface ValuePhase extends InCall {
  phase: 'value'
  form: ElementsForm | TagForm
  fields: DialectField[]
  /** Name of the parameter; `''` for text to ignore. */
  key: string
  /** Its closer. */
  close: string
  isJson: boolean
  /** Where its text begins. */
  value: TextPlace
  /** Number of inner parameters, opened first on a line, that are not closed yet. */
  depth: number
  /** Line of the first of them. */
  inner?: number
  /** A closer at the end of its line: the next line decides whether it counts. */
  closer?: TextPlace
  /** Place behind the first closer of the call inside the value; reading resumes there if the value never ends. */
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
  /** Place behind the content. */
  end: TextPlace
  isFenced: boolean
}

/** After an error inside a call: everything up to the call's closer is skipped. */
export interface BrokenPhase extends InCall {
  phase: 'broken'
  form: ElementsForm
  message: string
}

export type CallPhase = HeadPhase | FieldsPhase | ValuePhase | SpanPhase | ClosingPhase | BrokenPhase

/** State while calls of one dialect are read. */
export interface OpenDialect {
  dialect: Dialect
  wrapper: Wrapper | undefined
  /** Where the wrapper or the first call opened; later, where the last call ended. */
  opened: TextPlace
  /** Number of calls so far. */
  count: number
  /** The open call; `undefined` between calls. */
  call: CallPhase | undefined
}

/** From which place on the text must be kept. */
export function heldFrom({ call, opened }: OpenDialect): TextPlace {
  return call?.item ?? opened
}

/** Where reading continues within the calls, or, with `leaves`, outside them; `undefined` at the end of the line. */
export type Step = { at: number; leaves?: true } | undefined
