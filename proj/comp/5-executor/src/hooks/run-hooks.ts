import { hookCommand, shownOwnFile, takesPaths, type Hook, type HookCommand } from '../../../2-config/src/index.js'
import {
  HermesError, isNodeError, type HermesEvent, type HookMoment, type HookResult, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { runCommand } from '../../../4-verb-run/src/index.js'
import { HookDiffs, statesOf } from './hook-diffs.js'
import { Trust } from './trust.js'
import { WrittenFiles, type WrittenFile } from './written-files.js'
import { addTo } from '../../../0-text/src/index.js'

/** About how many bytes of names one command line takes: well below what systems allow. */
const MOST_BYTES = 96 * 1024

/** Events that report a hook. */
export type HookEvent = Extract<HermesEvent, { type: 'hook-start' | 'hook-end' }>

/**
 * Most bytes kept of one hook's output; and of all hooks of a run, beyond which only the end of each output is kept.
 */
const MOST_OUTPUT = 64 * 1024
const MOST_OUTPUT_OF_ALL = 2 * 1024 * 1024
const LITTLE_OUTPUT = 4 * 1024

export interface HookParts {
  hooks: readonly Hook[]
  context: VerbContext
  /** Why no hook may run; `undefined` where they may. */
  refusal: string | undefined
  /** Returns the value with secrets masked. */
  masked: <T>(value: T) => T
  /** Limits the context's command times to what the run has left. */
  within: (context: VerbContext) => VerbContext
  /** Called before a command starts. @throws HermesError where the root is unfit for a run */
  begin: () => Promise<void>
  /** Called when a command has ended. @param refusal the error thrown instead of starting it */
  ended: (refusal?: unknown) => void
  /** Registers what is running, so that disposing of the session waits for it. */
  track: <T>(promise: Promise<T>) => Promise<T>
}

/** The hooks of one run; `written` collects what its blocks write. */
export class RunHooks {
  readonly written: WrittenFiles
  readonly results: HookResult[] = []
  /** Warnings for the user, one line each. */
  readonly warnings: string[] = []
  readonly #trust: Trust
  /** `seq` of the blocks that wrote a hook's files, by `seq` of the hook. */
  readonly #writers = new Map<number, number[]>()
  readonly #diffs: HookDiffs
  #outputBytes = 0

  constructor(private readonly parts: HookParts) {
    this.written = new WrittenFiles(parts.context.session.root)
    this.#diffs = new HookDiffs(parts.masked)
    this.#trust = new Trust(parts.hooks, parts.context, this.warnings)
  }

  /** Runs the hooks of one moment; in a dry run reports those that would run. */
  async *run(on: HookMoment): AsyncGenerator<HookEvent, void> {
    const { hooks, context, refusal } = this.parts
    const all = hooks.filter((hook) => hook.on === on)
    if (all.length === 0) return
    const written = on === 'after_write' ? this.written.present(context.files) : []
    for (const hook of all) {
      const starts = startsOf(hook, written)
      if (starts.length === 0 || context.signal.aborted) continue
      if (refusal !== undefined) {
        const warning = `Hooks were not run: ${refusal}`
        if (!this.warnings.includes(warning)) this.warnings.push(warning)
        continue
      }
      if (!context.dryRun && !(await this.#trust.allows(hook))) continue
      for (const start of starts) {
        if (context.signal.aborted) return
        yield* this.#start(start)
        // Of the others each runs after a failure, since each reports something of its own.
        if (on === 'before' && this.failed !== undefined) return
      }
    }
  }

  /** The hook whose failure fails the run. */
  get failed(): HookResult | undefined {
    return this.results.find(({ success, ignored }) => !success && !ignored)
  }

  /** `seq` of the hooks that ran for a file of each block, by its `seq`. */
  byBlock(): Map<number, number[]> {
    const calls = new Map<number, number[]>()
    for (const [hook, blocks] of this.#writers) {
      for (const block of blocks) addTo(calls, block, hook)
    }
    return calls
  }

  async *#start({ hook, command, files }: HookStart): AsyncGenerator<HookEvent, void> {
    const { masked, context } = this.parts
    const { name, on, by } = hook
    const seq = this.results.length + 1
    const writers = [...new Map(files.flatMap((file) => file.writers).map((writer) => [writer.seq, writer])).values()]
    const base = masked({
      seq, name, on, command: command.shown, by,
      ...(files.length > 0 && { paths: files.map(({ shown }) => shown) }),
      ...(writers.length > 0 && { blocks: writers.map(({ blockId }) => blockId) }),
    })
    this.#writers.set(seq, writers.map((writer) => writer.seq))
    if (context.dryRun) {
      const trust = this.#trust.needs(hook)
      yield this.#ended({
        ...base, success: true, planned: true, output: '', durationMs: 0,
        ...(hook.timeoutMs !== undefined && { timeoutMs: hook.timeoutMs }),
        ...(hook.continueOnError && { continueOnError: true as const }),
        ...(trust !== undefined && { hint: `Asked first: ${trust} is not in trusted_hooks of ${shownOwnFile()}.` }),
      })
      return
    }
    yield { type: 'hook-start', name: base.name, on, command: base.command }
    const startedAt = performance.now()
    const watched = on === 'after_write' ? files : this.written.present(context.files)
    const before = statesOf(watched, context)
    const told = await this.parts.track(this.#attempt({ hook, command, files }))
    const after = statesOf(watched, context)
    const changes = watched.map(({ shown }, index) => ({ path: shown, before: before[index], after: after[index] }))
      .filter((each) => each.before?.digest !== each.after?.digest)
    const changed = changes.map(({ path }) => path)
    const diffs = await this.#diffs.of(changes)
    yield this.#ended({
      ...base, ...masked(told), ...(changed.length > 0 && { changed: masked(changed) }),
      ...(diffs.length > 0 && { diffs }),
      ...(!told.success && hook.continueOnError && { ignored: true as const }),
      durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
    })
  }

  #ended(result: HookResult): HookEvent {
    this.results.push(result)
    this.#outputBytes += Buffer.byteLength(result.output)
    return { type: 'hook-end', result }
  }

  async #attempt(
    { hook, command }: HookStart,
  ): Promise<Pick<HookResult, 'success' | 'output' | 'error' | 'code' | 'hint' | 'exitCode' | 'sandbox'>> {
    const { within, begin, ended } = this.parts
    const context = within(this.parts.context)
    const { commandTimeoutMs, maxCommandTimeoutMs, maxOutputBytes } = context.limits
    const room = this.#outputBytes > MOST_OUTPUT_OF_ALL ? LITTLE_OUTPUT : MOST_OUTPUT
    try {
      await begin()
      let refusal: unknown
      try {
        const { failure, ...rest } = await runCommand({
          name: `hook ${hook.name}`, shown: command.shown, isOfUser: hook.project === undefined,
          command: command.line ?? { words: command.words ?? [] },
          timeoutMs: Math.min(hook.timeoutMs ?? commandTimeoutMs, maxCommandTimeoutMs),
          maxOutputBytes: Math.min(maxOutputBytes, room),
        }, { ...context, approve: this.#trust.approving(hook) })
        return { success: failure === undefined, ...rest, ...failure }
      } catch (error) {
        refusal = error
        throw error
      } finally {
        ended(refusal)
      }
    } catch (error) {
      if (!(error instanceof HermesError) && !isNodeError(error)) throw error
      const hint = error instanceof HermesError ? error.hint : undefined
      return { success: false, output: '', error: error.message, code: error.code, ...(hint !== undefined && { hint }) }
    }
  }
}

/** One start of a hook. */
interface HookStart {
  hook: Hook
  command: HookCommand
  files: readonly WrittenFile[]
}

/** What a hook is started for, in its order; none where it has no file. */
function startsOf(hook: Hook, written: readonly WrittenFile[]): HookStart[] {
  if (hook.on !== 'after_write') return [{ hook, command: hookCommand(hook.run, []), files: [] }]
  const files = written.filter(({ path, shown }) => hook.matches(path, shown))
  return groupsOf(hook, files)
    .map((group) => ({ hook, files: group, command: hookCommand(hook.run, group.map(({ shown }) => shown)) }))
}

function groupsOf({ each, run }: Hook, files: readonly WrittenFile[]): WrittenFile[][] {
  if (each === 'file') return files.map((file) => [file])
  if (!takesPaths(run)) return files.length === 0 ? [] : [[...files]]
  const groups: WrittenFile[][] = []
  let bytes = Infinity
  for (const file of files) {
    const size = Buffer.byteLength(file.shown) + 1
    if (bytes + size > MOST_BYTES) {
      groups.push([])
      bytes = 0
    }
    groups.at(-1)?.push(file)
    bytes += size
  }
  return groups
}
