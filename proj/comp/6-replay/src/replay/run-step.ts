import { openSync, statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { HermesError, orNothing, type ExecutionResult, type ParsedBlock } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import type { PreparedAnswer } from '../../../2-extensions/src/index.js'
import { Hermes, type ExecutorOptions } from '../../../5-executor/src/index.js'
import { closing, endsInMidLine } from '../../../2-files/src/index.js'
import { parse } from '../../../1-reading/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import type { MappedCall, MappingPlace, ResultRule, ToolMapping } from '../../../2-mapping/src/index.js'
import {
  blockOutcomes, isBefore, rewrittenAgain, type AssistantTurn, type RecordedCall, type RecordedOutcome,
  type TranscriptSettings,
} from '../../../2-transcripts/src/index.js'
import { commandIn, withCommand } from './compare/recorded-command.js'

/** A path that can stand in a command as it is, quoted or not. */
const PLAIN = /^\/[\w./@+:,-]+$/
/** What stands in front of a path that goes on: `a/work`, `$X/work`, `"$X"/work`, `//work` of an address. */
const GOES_ON = String.raw`(?<![\w.\-}\])*~$@%+\\/]|[\w}\])*~$]["'])`

/** The outcome of one block or call of a turn. */
export interface Ran {
  name: string
  isCall: boolean
  callId: string | undefined
  byService?: true
  /** Absent if it was left out. */
  outcome?: RecordedOutcome
  /** Result rule of a mapped call. */
  rule?: ResultRule
  left?: { kind: 'unmapped' | 'skipped'; reason: string }
  /** The command it ran, if any. */
  command?: string
  /** The verb called and its parameters, if it parsed. */
  asked?: { action: string; params: Record<string, unknown> }
}

/** A block of the text, in order, and its outcome. */
interface Seen {
  id: string
  startLine: number
  name: string
  command?: string
  rule?: ResultRule
  left?: Ran['left']
}

export interface TurnRules {
  /** In order; the first that knows a call counts. */
  mappings: readonly ToolMapping[]
  /** Whether the transcript is a recording of hermes, whose names are verbs. */
  isOwn: boolean
  /** Settings of the recorded runs. */
  recorded: TranscriptSettings
}

const SERVED = { kind: 'skipped', reason: 'the service has run it already' } as const

function untouched(text: string): PreparedAnswer {
  return { text, original: text, rewrites: [], texts: [], notes: [], warnings: [] }
}

/** Runs the turns of one transcript in its workspace. */
export class TurnRunner implements AsyncDisposable {
  /** Sessions by the settings that an answer needs. */
  readonly #sessions = new Map<string, Hermes>()
  #registry: VerbRegistry
  readonly #place: MappingPlace
  readonly #inWorkspace: (command: string) => string
  /** Parsed blocks of the current text. */
  #seen: Seen[] = []
  fatalError: string | undefined
  /** Turns changed by extensions in this replay, with the turn that ran. */
  readonly extended = new Map<AssistantTurn, AssistantTurn>()

  constructor(private readonly options: ExecutorOptions & { root: string }, private readonly rules: TurnRules) {
    this.#registry = this.#session(this.#settings()).registry
    this.#place = placeIn(options.root, options.rootAliases ?? [])
    this.#inWorkspace = rootPutIn(options.root, options.rootAliases ?? [])
  }

  get registry(): VerbRegistry {
    return this.#registry
  }

  get relativePaths(): boolean {
    return this.#settings().relativePaths === true
  }

  /** Starts over with new sessions: each recorded run had its own, which knew nothing of what others had read. */
  async forget(): Promise<void> {
    await this[Symbol.asyncDispose]()
    this.#sessions.clear()
    this.#registry = this.#session(this.#settings()).registry
  }

  async run(turn: AssistantTurn): Promise<Ran[]> {
    const ofText = await this.#runAnswer(turn, this.#settings(turn.settings))
    if (turn.calls.length === 0) return ofText
    const own = turn.calls.filter(({ byService }) => byService !== true)
    const ofCalls = own.length === 0 ? [] : await this.#runText(own.map(callTag).join('\n'), {
      ...this.#settings(turn.settings), startsInThink: false,
    })
    return [...ofText, ...turn.calls.flatMap(({ id: callId, name, byService }): Ran[] => {
      if (byService === true) return [{ name, isCall: true, callId, left: SERVED, byService }]
      const ran = ofCalls.shift()
      return ran ? [{ ...ran, isCall: true, callId, name }] : []
    })]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const hermes of this.#sessions.values()) await hermes[Symbol.asyncDispose]()
  }

  /** The user's options take precedence over the recorded ones. */
  #settings(recorded: TranscriptSettings = this.rules.recorded): TranscriptSettings {
    const { relativePaths, editFormats, mapping, match, atomic, toolsets, startsInThink, gitCommit } = this.options
    const given = { relativePaths, editFormats, mapping, match, atomic, toolsets, startsInThink, gitCommit }
    return { ...recorded, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
  }

  #session({ startsInThink = false, ...settings }: TranscriptSettings): Hermes {
    const key = JSON.stringify([startsInThink, Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))])
    return valueAt(this.#sessions, key, () => new Hermes({
      ...this.options, ...settings, hooks: false, checkMs: 0, startsInThink,
      rewrite: (block) => this.#rewrite(block),
    }))
  }

  /** Runs the model's text, after extensions if the user asked for some. */
  async #runAnswer(turn: AssistantTurn, settings: TranscriptSettings): Promise<Ran[]> {
    const { text } = turn
    const { extensions } = this.options
    if (extensions === undefined || text.trim() === '') return this.#runText(text, settings)
    try {
      const prepared = await this.#session(settings).prepare(text)
      if (prepared.rewrites.length > 0) this.extended.set(turn, rewrittenAgain(turn, prepared, prepared.text))
      return await this.#runText(text, settings, prepared)
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.fatalError ??= error.message
      return []
    }
  }

  /** @param prepared what extensions made of it; calls recorded separately from a text go through no extension */
  async #runText(
    given: string, settings: TranscriptSettings, prepared: PreparedAnswer = untouched(given),
  ): Promise<Ran[]> {
    const { text } = prepared
    const { editFormats = [], startsInThink = false } = settings
    const { totalBlocks, errors } = parse(text, { editFormats, startsInThink })
    if (totalBlocks === 0 && errors.length === 0) return []
    this.#seen = []
    const result = await this.#session(settings).execute(text, { prepared })
    this.fatalError ??= result.fatalError
    return this.#inOrder(result)
  }

  /** Restores text order; blocks on the same line are told apart by their sequence. */
  #inOrder({ results, parseErrors }: ExecutionResult): Ran[] {
    const seen = [...this.#seen]
    const ran: Ran[] = []
    const takeLeft = (isNext: (block: Seen) => boolean): void => {
      while (seen[0]?.left && isNext(seen[0])) {
        const [{ name, left }] = seen.splice(0, 1) as [Seen]
        ran.push({ name, isCall: false, callId: undefined, ...(left && { left }) })
      }
    }
    for (const { action, blockId, startLine, params, ...outcome } of blockOutcomes(results, parseErrors)) {
      const isRead = params !== undefined
      takeLeft((block) => isRead || isBefore({ blockId: block.id, startLine: block.startLine }, { blockId, startLine }))
      const { name = action, rule, command } = (isRead ? seen.shift() : undefined) ?? {}
      ran.push({
        name, isCall: false, callId: undefined, outcome, ...(rule && { rule }),
        ...(command !== undefined && { command }), ...(params && { asked: { action, params } }),
      })
    }
    takeLeft(() => true)
    return ran
  }

  #rewrite(block: ParsedBlock): ParsedBlock | undefined {
    const { action: name, params, startLine, id } = block
    const seen = (more: Pick<Seen, 'rule' | 'left'>, run?: ParsedBlock): ParsedBlock | undefined => {
      const command = run && commandIn(run)
      this.#seen.push({ id, startLine, name, ...(command !== undefined && { command }), ...more })
      return run && withCommand(run, this.#inWorkspace)
    }
    const isVerb = this.#registry.has(name)
    if (this.rules.isOwn || name === '') return seen({}, block)
    const mapped = this.#map(name, params)
    if (mapped.kind === 'call') {
      return seen({ rule: mapped.result }, {
        ...block, action: mapped.verb, params: mapped.arguments, format: 'tool_call',
      })
    }
    if (isVerb && mapped.kind !== 'skipped') return seen({}, block)
    const reason = 'reason' in mapped ? mapped.reason : `no mapping knows ${name}`
    return seen({ left: { kind: mapped.kind === 'skipped' ? 'skipped' : 'unmapped', reason } })
  }

  #map(name: string, params: Record<string, unknown>): MappedCall {
    for (const mapping of this.rules.mappings) {
      const mapped = mapping.map(name, params, this.#place)
      if (mapped.kind !== 'unknown') return mapped
    }
    return { kind: 'unknown' }
  }
}

function callTag({ name, arguments: args }: RecordedCall): string {
  return `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`
}

/**
 * The text of a command with the workspace in place of the paths that stood for it: nothing else can make `cd
 * /workspace` work where there is no such directory.
 *
 * @param roots as recorded; one that is only `/` stands for nothing
 */
function rootPutIn(root: string, roots: readonly string[]): (command: string) => string {
  const paths = roots.map((candidate) => candidate.replace(/\/+$/, '')).filter((one) => PLAIN.test(one) && one !== root)
    .sort((a, b) => b.length - a.length)
  if (paths.length === 0 || !PLAIN.test(root)) return (command) => command
  const written = paths.map((path) => path.replaceAll(/[.+]/g, String.raw`\$&`)).join('|')
  const pattern = new RegExp(`(?:(?<=file://)|${GOES_ON})(?:${written})(?![\\w-]|\\.\\w)`, 'g')
  return (command) => command.replace(pattern, () => root)
}

/** Paths of a call as a root has them. @param aliases absolute paths that stand for the root */
function placeIn(root: string, aliases: readonly string[]): MappingPlace {
  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(root, path))
  const onDisk = (written: string): string => {
    const path = absolute(written)
    const alias = aliases.map((candidate) => candidate.replace(/\/+$/, ''))
      .find((base) => path === base || path.startsWith(`${base}/`))
    return alias === undefined ? path : join(root, path.slice(alias.length))
  }
  return {
    absolute,
    isRoot: (path) => resolve(onDisk(path)) === resolve(root),
    isDirectory: (path) => orNothing(() => statSync(onDisk(path)).isDirectory(), false),
    isUnfinished: (path) => orNothing(() => isUnfinished(onDisk(path)), false),
  }
}

function isUnfinished(path: string): boolean {
  return statSync(path).isFile() && closing(openSync(path, 'r'), endsInMidLine)
}
