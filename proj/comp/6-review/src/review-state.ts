import type { ApprovalRequest, SandboxAccess } from '../../0-contracts/src/index.js'
import type { PageChange, PageItem, PageRewrite } from '../../2-page/src/index.js'
import type { NothingLive } from './nothing-live.js'
import type { Prose } from './prose.js'

/**
 * `review`: nothing has run. `checking`: it is seen whether the tree is still as shown. `undone`:
 * the run was taken back.
 * `ended`: hermes has left, and answers no more.
 */
export type Phase = 'review' | 'checking' | 'running' | 'ran' | 'undoing' | 'undone' | 'ended'

/** Something that a block asks before it runs. */
export interface Ask extends ApprovalRequest {
  /** The user has agreed to it beforehand. */
  approved: boolean
}

/** A block as the page shows it. */
export interface ReviewItem {
  /** 1, 2, … in text order. */
  key: string
  /** What it would do or, where it has run, what it did. */
  card: PageItem
  ticked: boolean
  edited: boolean
  /** Counts the texts the block has had: a page that shows another has an old one. */
  textRevision: number
  /** Its lines are its own: no other block begins or ends on one of them. */
  editable: boolean
  /** There is a fix for it, which the user can put in place. */
  mendable?: true
  asks: readonly Ask[]
  /** It runs: since when (ISO 8601), and the last lines that it has printed. */
  live?: { since: string; lines: readonly string[] } | undefined
  /** What was changed of the block's own text. */
  edit?: PageChange
  /** Its text is the fix that the user put in place. */
  mended?: true
  /** Why the last edit was not taken: what is shown is the block before it. */
  refused?: Refusal
}

export interface Refusal {
  code: string
  message: string
  hint?: string | undefined
}

/** A question of the run that waits for an answer of the page. */
export type Prompt =
  | {
    id: string
    key?: string | undefined
    kind: 'approval'
    request: ApprovalRequest
    /** Of a command that the sandbox stopped: what can be opened to it, and what that means. */
    openings?: readonly { access: SandboxAccess; opens: string }[] | undefined
  }
  | {
    id: string
    key?: string | undefined
    kind: 'question'
    question: string
    options?: readonly string[] | undefined
    defaultOption?: string | undefined
  }
  | { id: string; key?: string | undefined; kind: 'confirmation'; description: string; destructive: boolean }

/** What the user should know at the moment; `changed`: the tree is no longer what was shown. */
export interface Notice {
  kind: 'changed' | 'refused' | 'done'
  text: string
  hint?: string | undefined
}

export interface RunOutcome {
  success: boolean
  executed: number
  failed: number
  /** Hooks whose failure makes the run fail. */
  failedHooks: number
  leftOut: number
  durationMs: number
  /** ISO 8601. */
  endedAt: string
  gitCommit?: string | undefined
  fatalError?: string | undefined
  rolledBack?: true | 'files' | 'partly' | undefined
  /** It can be taken back. */
  undoable: boolean
}

/** All that a page knows. Every page shows the same. */
export interface ReviewState {
  version: 1
  phase: Phase
  /** The effects are being found out: those shown are of before. */
  previewing: boolean
  /** Counts what has been shown: a run is made of the one that the page names, or not at all. */
  revision: number
  title: string
  root: string
  /** How runs are made, a line each. */
  settings: readonly string[]
  items: readonly ReviewItem[]
  /** Quotes that look like blocks, errors that are of no block, and hooks. */
  others: readonly PageItem[]
  /** What extensions made of the answer before it was read. */
  rewrites: readonly PageRewrite[]
  warnings: readonly string[]
  /** Why nothing could run. */
  fatalError?: string | undefined
  /** What the answer says around its blocks. */
  prose: readonly Prose[]
  prompts: readonly Prompt[]
  /** No block of the answer can run. */
  nothing?: NothingLive | undefined
  notice?: Notice | undefined
  outcome?: RunOutcome | undefined
}

/** What has changed. `items`: those that differ, by their place in the list. */
export type Patch = Partial<Omit<ReviewState, 'items'>> & {
  gone?: readonly (keyof ReviewState)[]
  items?: Readonly<Record<number, ReviewItem>>
  count?: number
}

/** What the pages are sent, a line of JSON each. */
export type Update = { type: 'state'; state: ReviewState } | { type: 'patch'; patch: Patch } | { type: 'beat' }

/** What leads from one state to the next; `undefined` where they are the same. Parts are compared by identity. */
export function patchBetween(before: ReviewState, after: ReviewState): Patch | undefined {
  const patch: Record<string, unknown> = {}
  const gone: string[] = []
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ReviewState>) {
    if (name === 'items' || before[name] === after[name]) continue
    if (after[name] === undefined) gone.push(name)
    else patch[name] = after[name]
  }
  if (gone.length > 0) patch['gone'] = gone
  const items = after.items.flatMap((item, at) => (before.items[at] === item ? [] : [[at, item] as const]))
  if (items.length > 0 || before.items.length !== after.items.length) {
    patch['items'] = Object.fromEntries(items)
    patch['count'] = after.items.length
  }
  return Object.keys(patch).length === 0 ? undefined : patch as Patch
}

export function applyPatch(state: ReviewState, { gone = [], items, count, ...rest }: Patch): ReviewState {
  const next: ReviewState = { ...state, ...rest }
  for (const name of gone) delete (next as unknown as Record<string, unknown>)[name]
  if (items === undefined) return next
  const list = state.items.slice(0, count)
  for (const [at, item] of Object.entries(items)) list[Number(at)] = item
  return { ...next, items: list }
}
