import {
  ifPossible, isRecord, type ActionResult, type ExecutionResult, type HermesEvent, type ParsedBlock, type ParseError,
} from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import type { ReadBlock } from '../../../1-reading/src/index.js'
import {
  findAnswer, keepAnswer, readAnswer, sha256, type ChosenAnswer, type KeptBlock,
} from '../../../3-transaction/src/index.js'
import type { ExecutorOptions, Refusal } from '../executor/index.js'
import { ownCopy } from '../executor/own-copy.js'
import { hasSucceeded, idOf, standingBlocks } from './standing-blocks.js'

const MOST_PARAMS = 20
const MOST_CALLS = 5
const PARAM_CHARS = 200
const ERROR_CHARS = 500
const HINT_CHARS = 2000

/**
 * Largest total size, in bytes, of the blocks kept for `--continue` (several thousand blocks). A longer answer cannot
 * be continued.
 */
const MOST_BYTES = 4 * 2 ** 20

/**
 * Joins two answers: one with failed blocks, and a later one with those blocks corrected. Listens to the events of one
 * run and adds up the results of both.
 */
export class Continuation {
  readonly #earlier: ChosenAnswer | undefined
  /** Digests of the texts of blocks that succeeded, each with its run; by block id. */
  readonly #done = new Map<string, Map<string, string>>()
  readonly #read = new Map<string, Pick<KeptBlock, 'isLoose'> & { digest?: string }>()
  readonly #refusals = new WeakMap<ParsedBlock, Refusal>()
  /** Places of refused blocks: a block of the same id succeeded with another text. */
  readonly #refused = new Set<string>()
  #blocks: KeptBlock[] = []
  #bytes = 0
  #isTooLong = false

  /**
   * @param root canonical
   * @param run id, or the beginning of the id, of the run to continue; or `last`
   * @throws as `findAnswer`
   */
  constructor(private readonly root: string, run?: string) {
    this.#earlier = run === undefined ? undefined : findAnswer(root, run)
    const { runId = '', record } = this.#earlier ?? {}
    for (const block of record?.blocks ?? []) this.#note(block, runId)
  }

  /** The run that is continued, and the runs made since. */
  get earlier(): { runId: string; newer: readonly string[] } | undefined {
    return this.#earlier
  }

  /** Options for the session in which this answer runs. */
  get options(): Pick<ExecutorOptions, 'leaveOut' | 'refuse'> {
    return { leaveOut: (read) => this.#leaveOut(read), refuse: (block) => this.#refusals.get(block) }
  }

  event(event: HermesEvent): void {
    if (event.type === 'block-end') this.#addResult(event.result)
    else if (event.type === 'parse-error') this.#addError(event.error)
  }

  /** The result of both answers together. */
  end(result: ExecutionResult): ExecutionResult {
    if (!this.#earlier) return result
    const standing = this.#standing(result)
    const { record } = this.#earlier
    const results = standing.flatMap((block) => ('result' in block ? [block.result] : []))
    const unread = standing.flatMap((block) => ('errors' in block ? [block] : []))
    return {
      ...result,
      success: result.success && standing.every(hasSucceeded),
      totalBlocks: results.length + unread.filter(({ counts }) => counts).length + result.totalBlocks,
      executedActions: record.executedActions + result.executedActions,
      results: [...results, ...result.results].map((each, at) => ({ ...each, seq: at + 1 })),
      parseErrors: [...unread.flatMap(({ errors }) => errors), ...result.parseErrors],
    }
  }

  /**
   * Keeps the run's blocks and results for a later `--continue`, where some blocks succeeded and some did not.
   *
   * @param own result of this answer alone
   * @returns whether they were kept
   */
  keep(runId: string, own: ExecutionResult): boolean {
    if (this.#isTooLong || own.dryRun || own.rolledBack !== undefined) return false
    const earlier = this.#earlier
    // Where no block succeeded, the model sends the whole answer again: nothing to keep.
    const done = this.#blocks.filter(hasSucceeded).length
    if (!earlier && (done === 0 || done === this.#blocks.length)) return false
    const standing = this.#standing(own).map((block) => named(block, earlier?.runId))
    const executedActions = (earlier?.record.executedActions ?? 0) + own.executedActions
    const continues = earlier ? [...earlier.record.continues, earlier.runId] : []
    // Where nothing can be written a run has nothing to keep either; --continue says then that it is not there.
    return ifPossible(() => {
      keepAnswer(this.root, runId, { continues, executedActions, blocks: [...standing, ...this.#blocks] })
      const before = earlier && readAnswer(this.root, earlier.runId)
      if (earlier && before) keepAnswer(this.root, earlier.runId, { ...before, continuedBy: runId })
      return true
    }, false)
  }

  /** Blocks of a run that was rolled back replace no earlier ones. */
  #standing({ rolledBack }: ExecutionResult): KeptBlock[] {
    const earlier = this.#earlier
    if (!earlier) return []
    const later = rolledBack === undefined ? this.#blocks : []
    return standingBlocks(earlier.record.blocks, later).map((block) => named(block, earlier.runId))
  }

  #note(block: KeptBlock, earlier: string): void {
    if (!('result' in block) || !block.result.success) return
    const { blockId, runId = earlier } = block.result
    this.#done.set(blockId, (this.#done.get(blockId) ?? new Map<string, string>()).set(block.digest, runId))
  }

  #leaveOut(read: ReadBlock): string | undefined {
    if (read.type === 'failed') {
      this.#remember(read.blockId, read.startLine, { isLoose: read.isNumbered ?? read.blockId === undefined })
      return undefined
    }
    const { block } = read
    const digest = sha256(Buffer.from(JSON.stringify([block.action, block.params])))
    const isLoose = read.isNumbered ?? false
    const done = isLoose ? undefined : this.#done.get(block.id)
    const [runId] = done?.values() ?? []
    if (done?.has(digest)) return `it succeeded in run ${done.get(digest) ?? ''} and is not run again`
    if (runId !== undefined && !this.#isOpen(block.id)) {
      this.#refusals.set(block, {
        code: 'INVALID_BLOCK_ID', error: `Block '${block.id}' succeeded with another text, in run ${runId}`,
        hint: 'Nothing of it ran. Give it an id of its own where it is to run, too; else leave it out.',
      })
      this.#refused.add(keyOf(block.id, block.startLine))
      return undefined
    }
    this.#remember(block.id, block.startLine, { isLoose: isLoose || block.format === 'tool_call', digest })
    return undefined
  }

  #isOpen(id: string): boolean {
    return this.#earlier?.record.blocks.some((block) => idOf(block) === id && !hasSucceeded(block)) ?? false
  }

  #remember(id: string | undefined, startLine: number, what: Pick<KeptBlock, 'isLoose'> & { digest?: string }): void {
    if (this.#isTooLong) return
    this.#read.set(keyOf(id, startLine), what)
  }

  #addResult(result: ActionResult): void {
    const key = keyOf(result.blockId, result.startLine)
    if (this.#refused.has(key)) return
    const { isLoose = false, digest = '' } = this.#read.get(key) ?? {}
    this.#read.delete(key)
    this.#add({ isLoose, digest, result: keptResult(result) })
  }

  /** Adds a parse error. Errors of one block arrive one after another. */
  #addError(error: ParseError): void {
    const last = this.#blocks.at(-1)
    if (last && 'errors' in last && last.errors[0]?.startLine === error.startLine && idOf(last) === error.blockId) {
      last.errors.push(ownCopy(keptError(error)).copy)
      return
    }
    const read = this.#read.get(keyOf(error.blockId, error.startLine))
    this.#add({ isLoose: read?.isLoose ?? true, errors: [keptError(error)], counts: read !== undefined })
  }

  #add(block: KeptBlock): void {
    const { copy, bytes } = ownCopy(block)
    this.#bytes += bytes
    this.#isTooLong ||= this.#bytes > MOST_BYTES
    if (this.#isTooLong) {
      this.#blocks = []
      this.#read.clear()
    } else this.#blocks.push(copy)
  }
}

function keyOf(id: string | undefined, startLine: number): string {
  return `${startLine} ${id ?? ''}`
}

/** The block, with the id of its run. */
function named(block: KeptBlock, runId: string | undefined): KeptBlock {
  if (runId === undefined) return block
  if ('result' in block) return { ...block, result: { runId, ...block.result } }
  return { ...block, errors: block.errors.map((error) => ({ runId, ...error })) }
}

/** A result as it is kept: without its data, and of its parameters what tells the block from others. */
function keptResult(result: ActionResult): Extract<KeptBlock, { result: unknown }>['result'] {
  const { seq, blockId, action, params, ranAs, success, error, code, hint, warned, startLine, endLine } = result
  return {
    seq, blockId, action, params: keptParams(params),
    ...(ranAs && { ranAs: ranAs.slice(0, MOST_CALLS).map((call) => ({ ...call, params: keptParams(call.params) })) }),
    success, ...(error !== undefined && { error: clip(error, ERROR_CHARS) }), ...(code !== undefined && { code }),
    ...(hint !== undefined && (!success || warned) && { hint: clip(hint, HINT_CHARS) }), ...(warned && { warned }),
    startLine, endLine, durationMs: result.durationMs,
  }
}

/** Its fix is for the lines of an answer that is not at hand then. */
function keptError({ error, ...place }: ParseError): Extract<KeptBlock, { errors: unknown }>['errors'][number] {
  const { fix: _, ...told } = error
  return { ...place, error: told }
}

function keptParams(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).slice(0, MOST_PARAMS).flatMap(([name, value]) => (
    typeof value === 'string' ? [[name, clip(value, PARAM_CHARS)]]
      : Array.isArray(value) || isRecord(value) ? [] : [[name, value]]
  )))
}
