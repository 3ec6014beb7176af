import type { MappingName, ReadFormat, Rewrite } from '../../0-contracts/src/index.js'
import type { KeptContent, StartingPath } from './starting-files/index.js'

/** The formats transcripts are read in; `vercel` stands for the messages of the AI SDK, `cline` for Roo Code too. */
export const TRANSCRIPT_FORMATS = [
  'sharegpt', 'openai', 'responses', 'anthropic', 'vercel', 'gemini', 'bedrock', 'ollama', 'langchain', 'swe-agent',
  'openhands', 'cline', 'gptme', 'aider', 'markdown', 'hermes',
] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

/** A call that stands beside the text of a turn, as harnesses with function calling record it. */
export interface RecordedCall {
  /** What its result refers to. */
  id?: string
  name: string
  /** As recorded: an object, or the text that should have been one. */
  arguments: unknown
  /** The service has run it: nothing is left to do for it. */
  byService?: true
}

/** A result in hermes' own form; `ActionResult` has more. */
export interface RecordedOutcome {
  success: boolean
  error?: string
  code?: string
  hint?: string
  data?: unknown
}

/** Where a result stands in its record, so that it can be rewritten. */
export interface ResultPlace {
  /** Keys and indices from the record down. */
  path: readonly (string | number)[]
  /** Of several `<tool_response>` sections in one text: which, from 0. */
  section?: number
}

/** What was recorded of one call or block. */
export interface RecordedResult {
  callId?: string
  /** As recorded; JSON where it was no text. */
  text: string
  /** Present where the record says whether the call failed. */
  isError?: boolean
  /** Present where the text is a result in hermes' own form. */
  outcome?: RecordedOutcome
  place?: ResultPlace
  /** Nothing was recorded: it keeps the order of the others. */
  isUnknown?: true
}

/** What one extension made of an answer. */
export interface RecordedRewrite extends Rewrite {
  /** The text that it left, where the record holds it; of the last one that is the text of the turn. */
  text?: string
}

/** An answer that extensions changed before it ran. */
export interface RewrittenAnswer {
  /** What the model wrote. */
  original: string
  /** Who changed it, in their order. */
  by: readonly RecordedRewrite[]
  /** The texts are not byte for byte those of the hashes, as where secrets are masked. */
  inexact?: true
}

export interface AssistantTurn {
  role: 'assistant'
  /** Thinking that is recorded apart from the text; `''` for none. */
  reasoning: string
  /** Read for blocks. */
  text: string
  /** Where extensions changed the text: what it was. */
  rewritten?: RewrittenAnswer
  calls: RecordedCall[]
  /** What files were before it ran, as far as it used them. */
  start?: readonly StartingPath[]
  /** How it ran, where that is not how the transcript says. */
  settings?: TranscriptSettings
}

/**
 * One turn. Results follow the assistant's turn they belong to: those of `calls` by id, or else in order, first those
 * of the text's blocks and then those of the calls.
 */
export type Turn =
  | { role: 'system' | 'user'; text: string }
  | AssistantTurn
  | { role: 'results'; results: RecordedResult[] }

/** What decides how an answer is read and run, as far as a record says so. */
export interface TranscriptSettings {
  relativePaths?: boolean
  editFormats?: readonly ReadFormat[]
  mapping?: MappingName | 'auto'
  match?: 'exact' | 'tolerant'
  atomic?: boolean | 'files'
  toolsets?: readonly string[]
  startsInThink?: boolean
  /** Only `false` is recorded. */
  gitCommit?: boolean
  /** Of the verbs that were called and are not hermes' own, by name. */
  verbVersions?: Readonly<Record<string, string>>
}

/** One recorded conversation, whatever it was written as. */
export interface Transcript {
  /** Path of the file or folder. */
  file: string
  /** First line of its record, from 1; `undefined` where it is the whole file. */
  line: number | undefined
  /** What reports call it: the file's name, with the record's number where the file has several. */
  name: string
  format: TranscriptFormat
  /** Of a file with several records: which one, from 0. */
  record?: number
  /** The files of markdown answers, one a turn. */
  files?: readonly string[]
  turns: Turn[]
  /** Definitions of the tools the model had, as recorded. */
  tools?: unknown
  /** Absolute path the run worked in, where the record says so. */
  root?: string
  /** Prefixes that stood for the root. */
  rootAliases?: readonly string[]
  settings?: TranscriptSettings
  /** Contents of starting files, by SHA-256 in hex. */
  contents?: Readonly<Record<string, KeptContent>>
}

/** Something that could not be read; the rest goes on. */
export interface BadRecord {
  file: string
  /** From 1. */
  line: number | undefined
  code: string
  message: string
  hint: string
}

/** What a reader makes of a record. @throws HermesError `INVALID_TRANSCRIPT` where it does not have the form */
export interface Conversation
  extends Pick<Transcript, 'turns' | 'tools' | 'root' | 'rootAliases' | 'settings' | 'contents'> {}
