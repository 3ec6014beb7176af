import type { MappingName, ReadFormat, Rewrite } from '../../0-contracts/src/index.js'
import type { KeptContent, StartingPath } from './starting-files/index.js'

/** Formats of transcripts; `vercel`: messages of the AI SDK; `cline`: also Roo Code. */
export const TRANSCRIPT_FORMATS = [
  'sharegpt', 'openai', 'responses', 'anthropic', 'vercel', 'gemini', 'bedrock', 'ollama', 'langchain', 'swe-agent',
  'openhands', 'cline', 'gptme', 'aider', 'markdown', 'hermes',
] as const
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number]

/** A call beside the text of a turn, as recorded by harnesses with function calling. */
export interface RecordedCall {
  /** Id that its result refers to. */
  id?: string
  name: string
  /** As recorded: an object, or a string that should contain one. */
  arguments: unknown
  /** The service has run it: hermes does nothing. */
  byService?: true
}

/** A result in hermes' own form, a subset of `ActionResult`. */
export interface RecordedOutcome {
  success: boolean
  error?: string
  code?: string
  hint?: string
  data?: unknown
}

/** Place of a result in its record, for rewriting it. */
export interface ResultPlace {
  /** Keys and indices, starting at the record. */
  path: readonly (string | number)[]
  /** 0-based index among several `<tool_response>` sections in one text. */
  section?: number
}

/** The recorded result of one call or block. */
export interface RecordedResult {
  callId?: string
  /** As recorded; JSON where it was no string. */
  text: string
  /** Present where the record says whether the call failed. */
  isError?: boolean
  /** Present where the text is a result in hermes' own form. */
  outcome?: RecordedOutcome
  place?: ResultPlace
  /** Nothing was recorded: a placeholder that keeps the order of the others. */
  isUnknown?: true
}

/** The change of an answer by one extension. */
export interface RecordedRewrite extends Rewrite {
  /** The resulting text, if the record has it; for the last one, that is the text of the turn. */
  text?: string
}

/** An answer that extensions changed before it ran. */
export interface RewrittenAnswer {
  /** The text as the model wrote it, with its blocks in their places. */
  original: string
  /** The changes, in order. */
  by: readonly RecordedRewrite[]
  /** The texts do not match the hashes byte for byte, e.g. because secrets are masked. */
  inexact?: true
}

export interface AssistantTurn {
  role: 'assistant'
  /** Reasoning recorded apart from the text; `''` for none. */
  reasoning: string
  /** Text that is read for blocks. */
  text: string
  /** The original text, if extensions changed it. */
  rewritten?: RewrittenAnswer
  calls: RecordedCall[]
  /** State of the files it used before it ran. */
  start?: readonly StartingPath[]
  /** Settings that differ from the transcript's. */
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

/** Recorded settings of how an answer is read and run. */
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
  /** Versions of the called verbs that are not hermes' own, by name. */
  verbVersions?: Readonly<Record<string, string>>
}

/** One recorded conversation, of any format. */
export interface Transcript {
  /** Path of the file or folder. */
  file: string
  /** 1-based first line of its record; `undefined` where it is the whole file. */
  line: number | undefined
  /** Name in reports: the file's name, with the record's number if the file has several. */
  name: string
  format: TranscriptFormat
  /** 0-based index among several records of the file. */
  record?: number
  /** Files of Markdown answers, one for each turn. */
  files?: readonly string[]
  turns: Turn[]
  /** Definitions of the model's tools, as recorded. */
  tools?: unknown
  /** Absolute path of the run's root, if recorded. */
  root?: string
  /** Prefixes that stand for the root. */
  rootAliases?: readonly string[]
  settings?: TranscriptSettings
  /** Contents of starting files, by SHA-256 in hex. */
  contents?: Readonly<Record<string, KeptContent>>
}

/** A record that could not be read; reading continues. */
export interface BadRecord {
  file: string
  /** 1-based. */
  line: number | undefined
  code: string
  message: string
  hint: string
}

/**
 * What a reader makes of a record.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` where it does not have the format
 */
export interface Conversation
  extends Pick<Transcript, 'turns' | 'tools' | 'root' | 'rootAliases' | 'settings' | 'contents'> {}
