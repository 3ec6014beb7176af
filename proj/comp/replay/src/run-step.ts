import { isAbsolute, join, resolve } from 'node:path'
import { statSync } from 'node:fs'
import { orNothing, type ExecutionResult, type ParsedBlock } from '../../contracts/src/index.js'
import { Hermes, type ExecutorOptions } from '../../executor/src/index.js'
import { parse } from '../../parsers/src/index.js'
import type { VerbRegistry } from '../../registry/src/index.js'
import type { MappingPlace, ResultRule, ToolMapping } from '../../tool-mapping/src/index.js'
import {
  blockOutcomes, type AssistantTurn, type RecordedCall, type RecordedOutcome,
} from '../../transcripts/src/index.js'

/** What came of one block or call of a turn. */
export interface Ran {
  name: string
  isCall: boolean
  callId: string | undefined
  /** Absent where it was left out. */
  outcome?: RecordedOutcome
  /** Of a call that was mapped. */
  rule?: ResultRule
  left?: { kind: 'unmapped' | 'skipped'; reason: string }
}

interface Rewritten {
  name: string
  rule?: ResultRule
  left?: Ran['left']
}

/** Runs the turns of one transcript in its workspace. */
export class TurnRunner implements AsyncDisposable {
  readonly #hermes: Hermes
  readonly #mapping: ToolMapping
  readonly #registry: VerbRegistry
  readonly #verbs: ReadonlySet<string>
  readonly #place: MappingPlace
  readonly #isOwn: boolean
  readonly #editFormats: ExecutorOptions['editFormats']
  /** What became of the blocks of the present text, by their first line. */
  #rewritten = new Map<number, Rewritten>()
  fatalError: string | undefined

  /** @param isOwn the transcript is a recording of hermes: its names are those of verbs */
  constructor(options: ExecutorOptions & { root: string }, mapping: ToolMapping, isOwn: boolean) {
    this.#mapping = mapping
    this.#isOwn = isOwn
    this.#editFormats = options.editFormats
    this.#hermes = new Hermes({ ...options, rewrite: (block) => this.#rewrite(block) })
    this.#registry = this.#hermes.registry
    this.#verbs = new Set(this.#registry.names().map((name) => name.toLowerCase()))
    this.#place = placeIn(options.root, options.rootAliases ?? [])
  }

  get registry(): VerbRegistry {
    return this.#registry
  }

  async run(turn: AssistantTurn): Promise<Ran[]> {
    const ofText = await this.#runText(turn.text)
    if (turn.calls.length === 0) return ofText
    const ofCalls = await this.#runText(turn.calls.map(callTag).join('\n'))
    return [...ofText, ...ofCalls.map((ran, index): Ran => {
      const { id: callId, name = ran.name } = turn.calls[index] ?? {}
      return { ...ran, isCall: true, callId, name }
    })]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hermes[Symbol.asyncDispose]()
  }

  async #runText(text: string): Promise<Ran[]> {
    const { totalBlocks, errors } = parse(text, { editFormats: this.#editFormats ?? [] })
    if (totalBlocks === 0 && errors.length === 0) return []
    this.#rewritten = new Map()
    const result = await this.#hermes.execute(text)
    this.fatalError ??= result.fatalError
    return this.#inOrder(result)
  }

  #inOrder({ results, parseErrors }: ExecutionResult): Ran[] {
    const ran = blockOutcomes(results, parseErrors).map(({ startLine, action, ...outcome }): [number, Ran] => {
      const { name = action, rule } = this.#rewritten.get(startLine) ?? {}
      return [startLine, { name, isCall: false, callId: undefined, outcome, ...(rule && { rule }) }]
    })
    const left = [...this.#rewritten].flatMap(([startLine, { name, left: why }]): [number, Ran][] => (
      why ? [[startLine, { name, isCall: false, callId: undefined, left: why }]] : []
    ))
    return [...ran, ...left].sort(([a], [b]) => a - b).map(([, one]) => one)
  }

  #rewrite(block: ParsedBlock): ParsedBlock | undefined {
    const { action: name, params, startLine } = block
    const isVerb = this.#verbs.has(name.toLowerCase())
    if (this.#isOwn || name === '') return block
    const mapped = this.#mapping.map(name, params, this.#place)
    if (mapped.kind === 'call') {
      this.#rewritten.set(startLine, { name, rule: mapped.result })
      return { ...block, action: mapped.verb, params: mapped.arguments, format: 'tool_call' }
    }
    if (isVerb && mapped.kind !== 'skipped') return block
    const reason = 'reason' in mapped ? mapped.reason : `no mapping knows ${name}`
    this.#rewritten.set(startLine, { name, left: { kind: mapped.kind === 'skipped' ? 'skipped' : 'unmapped', reason } })
    return undefined
  }
}

function callTag({ name, arguments: args }: RecordedCall): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
}

/** Paths of a call as the workspace has them. */
function placeIn(root: string, aliases: readonly string[]): MappingPlace {
  const inRoot = (path: string): string => {
    const alias = aliases.map((one) => one.replace(/\/+$/, '')).find((one) => path === one || path.startsWith(`${one}/`))
    return alias === undefined ? path : join(root, path.slice(alias.length))
  }
  return {
    absolute: (path) => (isAbsolute(path) ? path : resolve(root, path)),
    isDirectory: (path) => orNothing(() => statSync(inRoot(isAbsolute(path) ? path : resolve(root, path))).isDirectory(), false),
  }
}
