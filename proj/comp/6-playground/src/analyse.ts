import type {
  ActionResult, ExecutionResult, ParsedBlock, ParseError, ParseOutcome, ReadFormat, SkippedBlock,
} from '../../0-contracts/src/index.js'
import { escapeControls } from '../../0-text/src/index.js'
import { CodeFences, mendText, parse } from '../../1-reading/src/index.js'
import { meantAction, VerbRegistry } from '../../1-registry/src/index.js'
import { fixLines, isOnlyLikely, plural, renderReply, subjectOf } from '../../1-reports/src/index.js'
import type { PageItem } from '../../2-page/src/index.js'

/** How to read a text. */
export interface Reading {
  /** Edit formats and dialects to read besides hermes' own blocks. */
  formats: readonly ReadFormat[]
  /** Names of the existing verbs. */
  verbs: readonly string[]
}

/** What can be said of an answer without running it. */
export interface Analysis {
  /**
   * In text order. `pending`: would run. `failed`: broken. `unparsed`: a call of another format or tool. `skipped`:
   * quoted.
   */
  items: readonly PageItem[]
  /** The counts, as a sentence. */
  verdict: string
  /** The reply that the model would get. */
  reply: string
  /** The text with every fix applied; absent where there is no fix. */
  mended?: { text: string; fixes: number; left: number }
}

const MAPPING_HINT = 'If it is a tool of another harness, a mapping may run it: hermes apply --mapping auto.'

/** Reads a text, without running anything. */
export function analyse(text: string, { formats, verbs }: Reading): Analysis {
  const read = (given: string): ParseOutcome => parse(given, { editFormats: formats })
  const outcome = read(text)
  const registry = registryOf(verbs)
  const results = outcome.blocks.map((block, index) => resultOf(block, index + 1, registry))
  const items = [
    ...outcome.blocks.map((block, index) => blockItem(block, results[index], registry)),
    ...outcome.errors.map(errorCard), ...outcome.skipped.map(quoteCard),
  ].sort((a, b) => a.startLine - b.startLine)
  const reply = renderReply(asDryRun(outcome, results), { fences: new CodeFences().push(text).end() })
  const mended = outcome.errors.some(({ error }) => error.fix) ? mendText(text, read) : undefined
  return {
    items, verdict: verdictOf(items), reply,
    ...(mended && mended.mended.length > 0
      && { mended: { text: mended.text, fixes: mended.mended.length, left: mended.outcome.errors.length } }),
  }
}

/** A registry of names only: nothing is loaded, since nothing runs. */
function registryOf(verbs: readonly string[]): VerbRegistry {
  return new VerbRegistry(verbs.map((name) => ({
    name, load: () => Promise.reject(new Error(`${name} does not run here`)),
  })))
}

/** The result that a dry run would report: a known verb succeeds, as far as the text alone shows. */
function resultOf(block: ParsedBlock, seq: number, registry: VerbRegistry): ActionResult {
  const { id, action, params, startLine, endLine } = block
  const common = { seq, blockId: id, action, params, startLine, endLine, durationMs: 0 }
  if (action === '') {
    const error = "Missing 'action' field in SHAM block"
    return { ...common, success: false, code: 'MISSING_ACTION', error, hint: 'Add a line action = "…".' }
  }
  if (registry.has(action)) return { ...common, success: true }
  const vocabulary = block.format === 'sham' || block.format === 'nesl' ? 'clada' : 'core'
  const near = registry.nearest(action)
  const meant = near ?? meantAction(action, vocabulary, (name) => registry.has(name))
  return {
    ...common, success: false, code: 'UNKNOWN_ACTION', error: `Unknown action: ${escapeControls(action)}`,
    ...(meant !== undefined && { hint: `Did you mean ${meant}?` }),
  }
}

function asDryRun(outcome: ParseOutcome, results: ActionResult[]): ExecutionResult {
  const { errors, skipped, totalBlocks } = outcome
  return {
    success: errors.length === 0 && results.every((result) => result.success), totalBlocks, executedActions: 0, results,
    parseErrors: errors, skipped, dryRun: true, durationMs: 0,
  }
}

function blockItem(block: ParsedBlock, result: ActionResult | undefined, registry: VerbRegistry): PageItem {
  const { id, format, dialect, action, params, startLine, endLine } = block
  const { seq = 0, code, error } = result ?? {}
  // A name similar to a verb's is misspelled; any other is taken for a tool of another harness.
  const isForeign = code === 'UNKNOWN_ACTION' && registry.nearest(action) === undefined
  const hint = [result?.hint ?? [], isForeign ? MAPPING_HINT : []].flat().join('\n')
  return {
    key: `b${seq}`, state: error === undefined ? 'pending' : isForeign ? 'unparsed' : 'failed',
    blockId: id, action, subject: subjectOf(params), startLine, endLine, changes: [],
    ...(error === undefined ? { outcome: `would run · ${dialect ?? format}` } : { error }),
    ...(code !== undefined && { code }), ...(hint !== '' && { hint }),
  }
}

function errorCard({ blockId, startLine, endLine, error }: ParseError, index: number): PageItem {
  const { code, message, line, column, length } = error
  const hint = [error.hint ?? [], fixLines(error)].flat().join('\n')
  return {
    key: `e${index + 1}`, state: code === 'NOT_READ' ? 'unparsed' : 'failed',
    ...(blockId !== undefined && { blockId }), subject: '', startLine, endLine, code, error: message,
    ...(hint !== '' && { hint }), place: { line, column, length }, changes: [],
  }
}

function quoteCard(block: SkippedBlock, index: number): PageItem {
  const { blockId, startLine, endLine, reason } = block
  return {
    key: `s${index + 1}`, state: isOnlyLikely(block) ? 'unparsed' : 'skipped',
    ...(blockId !== undefined && { blockId }), subject: '', startLine, endLine, reason, changes: [],
  }
}

const WORDS = { pending: 'would run', failed: 'broken', unparsed: 'foreign', skipped: 'quoted' } as const

function verdictOf(items: readonly PageItem[]): string {
  if (items.length === 0) return 'No block is in this text'
  const counts = Object.entries(WORDS).map(([state, words]) => (
    { words, count: items.filter((item) => item.state === state).length }))
  const [live, ...others] = counts
  const first = live === undefined || live.count === 0 ? 'Nothing would run'
    : `${plural(live.count, 'block')} would run`
  return [first, ...others.filter(({ count }) => count > 0).map(({ words, count }) => `${count} ${words}`)].join(' · ')
}
