import type { ItemState, PageChange, PageHook, PageItem, PageSummary } from './run-page-model.js'

/** What each state is called, for those who do not see the sign. */
export const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  pending: 'not run yet', running: 'running', succeeded: 'succeeded', failed: 'failed', unparsed: 'did not parse',
  skipped: 'skipped',
}

export const CHANGE_WORDS: Readonly<Record<PageChange['kind'], string>> = {
  create: 'New file', modify: 'Changed', delete: 'Deleted', move: 'Moved', 'create-directory': 'New directory',
  'delete-directory': 'Deleted directory',
}

export const MOMENT_WORDS: Readonly<Record<PageHook['on'], string>> = {
  before: 'before the blocks', after_write: 'after the blocks, for what they wrote', after: 'after the blocks',
}

const ROLLED_BACK: Readonly<Record<string, string>> = {
  true: 'Everything is as it was before the run.',
  files: 'Files are as they were before the run; what commands did besides is not taken back.',
  partly: 'Not everything could be put back.',
}

export function rolledBackWords(rolledBack: NonNullable<PageSummary['rolledBack']>): string {
  return ROLLED_BACK[String(rolledBack)] ?? ''
}

/** What a card is called: its action, or what else is known. */
export function titleOf({ state, blockId, action }: PageItem): string {
  if (action !== undefined && action !== '') return action
  if (state === 'skipped') return blockId === undefined ? 'A quoted block' : `Quoted block ${blockId}`
  return blockId === undefined ? 'A block' : `Block ${blockId}`
}

/** `3 ms`, `1.25 s`. */
export function timeOf(milliseconds: number): string {
  if (milliseconds < 1) return '< 1 ms'
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
}

/** `2026-01-02 03:04:05 UTC`. */
export function momentOf(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
}

/** `line 4`, `lines 4–9`. */
export function linesOf({ startLine, endLine }: Pick<PageItem, 'startLine' | 'endLine'>): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`
}

/** Where a hunk stands in the file. */
export function hunkWords({ oldStart, newStart }: { oldStart: number; newStart: number }): string {
  return oldStart === newStart ? `Line ${newStart}` : `Line ${oldStart}, now ${newStart}`
}

/** How a command ended, for people. */
export function exitWords(exitCode: number | null): string {
  return exitCode === null ? 'It was stopped.' : `It ended with exit code ${exitCode}.`
}
