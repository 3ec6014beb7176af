import type { FileChange, HookMoment } from '../../0-contracts/src/index.js'
import type { ProsePart } from './prose/answer-prose.js'

/**
 * What a page shows of a run, as data: the report holds it as JSON, the review page is sent it. Texts are as files,
 * models and commands wrote them; the page makes them harmless where it shows them.
 */
export interface PageModel {
  /** Of this shape; another is not shown. */
  version: 1
  title: string
  summary: PageSummary
  /** Blocks, errors and quotes in text order, between the hooks that ran before and after them. */
  items: readonly PageItem[]
  /** The whole answer; absent where it was not kept. */
  answer?: string
  /** What of the answer is shown as it reads; all else is shown as it was written. */
  prose?: readonly ProsePart[]
  /** What extensions made of the answer, in their order. */
  rewrites?: readonly PageRewrite[]
}

/** An extension that changed the answer before it was read. */
export interface PageRewrite {
  /** Who, and by how many lines. */
  title: string
  change: PageChange
}

export interface PageSummary {
  verdict: Verdict
  /** Nothing was changed and no command was started. */
  dryRun: boolean
  /** Live blocks. */
  total: number
  succeeded: number
  failed: number
  unparsed: number
  skipped: number
  /** Hooks whose failure makes the run fail. */
  failedHooks?: number
  durationMs: number
  /** When the run ended: ISO 8601, UTC. */
  endedAt: string
  /** Absolute. */
  root: string
  gitCommit?: string
  rolledBack?: true | 'files' | 'partly'
  /** What to know of the run as a whole. */
  warnings: readonly string[]
  /** Why the run was stopped. */
  fatalError?: string
}

/** `pending` and `running`: it has not ended. `empty`: the answer has no live block. */
export type Verdict = 'pending' | 'running' | 'succeeded' | 'failed' | 'stopped' | 'empty'

/** `pending`, `running`: of a run that has not ended. `unparsed`: an error in the text. `skipped`: a quote. */
export type ItemState = 'pending' | 'running' | 'succeeded' | 'failed' | 'unparsed' | 'skipped'

/** One card: a block, a parse error, something quoted that looks like a block, or a hook. */
export interface PageItem {
  /** Unique in the page and the same for the same block while the run goes on. */
  key: string
  state: ItemState
  blockId?: string
  /** As written. */
  action?: string
  /** What the call is about, on one line: a path, a command, what is searched. */
  subject: string
  /** What it did, in some words: `created, 13 B`. */
  outcome?: string
  /** 1-based lines of the answer; 0 of a hook, which is not in it. */
  startLine: number
  endLine: number
  durationMs?: number
  code?: string
  error?: string
  hint?: string
  /** Of a parse error: 1-based line of the answer, 1-based UTF-16 column, length in UTF-16 units. */
  place?: { line: number; column: number; length: number }
  /** Why a quote was skipped. */
  reason?: string
  /** The block's own text, where there is no answer to show it from. */
  source?: string
  /** That text is no longer as the answer has it. */
  isEdited?: true
  changes: readonly PageChange[]
  /** Of a block that failed: the file that it was to change. */
  file?: string
  hook?: PageHook
  output?: PageOutput
  /** What it returned besides, e.g. the content that was read. */
  result?: PageText
}

export interface PageText {
  text: string
  /** Name of a file whose extension tells the language. */
  path?: string
}

/** What a hook's card says besides. */
export interface PageHook {
  on: HookMoment
  /** The line that says so: `hermes.yaml:12`. */
  by: string
  /** It failed, which counts for nothing. */
  ignored?: true
  /** Files it ran for. */
  paths?: readonly string[]
  /** Ids of the blocks that wrote those. */
  blocks?: readonly string[]
}

/** What a command printed, of a hook both streams as `stdout`; `exitCode` is `null` when it was stopped. */
export interface PageOutput {
  stdout: string
  stderr: string
  exitCode: number | null
}

/** What a block did, or would do, to one path. */
export interface PageChange {
  kind: FileChange['kind']
  /** Relative to the root where it lies below it. */
  path: string
  from?: string
  /** Lines. */
  added: number
  removed: number
  hunks: readonly DiffHunk[]
  /** What the hunks do not show, and why. */
  note?: string
}

/** As in a unified diff; each line begins with a blank, `+`, `-` or `\`. */
export interface DiffHunk {
  /** 1-based. */
  oldStart: number
  newStart: number
  lines: readonly string[]
}
