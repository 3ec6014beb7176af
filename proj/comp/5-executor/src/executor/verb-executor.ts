/// <reference lib="esnext.disposable" preserve="true" />
import { CANCELLED_BEFORE_START, HermesError, isRecord, tracked, type AnyVerb } from '../../../0-contracts/src/index.js'
import { readBareEnvelope, type BareEnvelope } from '../../../1-reading/src/index.js'
import { camelCase, toVerbResult, type VerbRegistry } from '../../../1-registry/src/index.js'
import { clip, escapeControls, nearestAction } from '../../../0-text/src/index.js'
import { summarize, type RunTransaction, type SummaryPlaces } from '../../../3-transaction/src/index.js'
import type { Outcome } from './failures.js'
import { isRemoteName } from './remote-names.js'
import { runBlock } from './run-block.js'
import type { Begun } from './begun.js'
import { Session } from './session.js'
import type { ExecutorOptions, RunOptions } from './settings.js'

/** Longest name a message quotes, in UTF-16 units. */
const MAX_NAME = 100

/** Result of one envelope: `succeeded`, and the fields of the verb's own result. */
export interface VerbResult {
  succeeded: boolean
  [field: string]: unknown
}

/**
 * Runs single envelopes, one in and the JSON of its `VerbResult` out. All names ignore case here. Like `Hermes` it is a
 * session: root, context and registry stay between calls.
 */
export class VerbExecutor implements AsyncDisposable {
  readonly #session: Session

  /** @throws HermesError `INVALID_OPTION`, and `ALREADY_REGISTERED` for names that differ only in case */
  constructor(options?: ExecutorOptions)
  /** @internal For `Hermes.verbExecutor`; left out of the package's type declarations. */
  constructor(session: Session)
  constructor(options: ExecutorOptions | Session = {}) {
    this.#session = options instanceof Session ? options : new Session(options)
    const names = this.registry.names()
    const lower = names.map((name) => name.toLowerCase())
    const twice = names.find((name, index) => lower.indexOf(name.toLowerCase()) < index)
    if (twice !== undefined) throw alreadyRegistered(twice)
  }

  /** The verbs of the session. */
  get registry(): VerbRegistry {
    return this.#session.registry
  }

  /**
   * Adds a verb.
   *
   * @throws HermesError `ALREADY_REGISTERED` when the name is taken in any case, `INVALID_OPTION` when it is no verb
   */
  register(verb: AnyVerb): this {
    const name: unknown = (verb as Partial<AnyVerb> | undefined)?.name
    if (typeof name === 'string' && this.registry.nameOf(name, true) !== undefined) throw alreadyRegistered(name)
    this.registry.register(verb)
    return this
  }

  /**
   * Runs one envelope `{verb, arguments}`: YAML or JSON text, or the value itself.
   *
   * @param own options of this call; `onEvent` is not called
   * @returns JSON: `succeeded`, the result's own fields in camelCase, and on failure `errorMessage`, `errorCode` and
   * `hint`
   * @throws HermesError `INVALID_ENVELOPE` (`Invalid Verb envelope.`), `UNKNOWN_ACTION` (`Unknown Verb 'x'.`), or
   * `MISSING_PARAMETER`, `UNKNOWN_PARAMETER`, `INVALID_PARAMETER` (`Failed to deserialize arguments for Verb 'x'.`);
   * nothing ran then. The hint says what to write instead
   */
  async execute(input: string | object, own: RunOptions = {}): Promise<string> {
    return JSON.stringify(await this.run(input, own))
  }

  /** @internal For front ends that write the JSON themselves: what `execute` returns, as a value. */
  async run(input: string | object, own: RunOptions = {}): Promise<VerbResult> {
    const envelope = readBareEnvelope(typeof input === 'string' ? input : jsonOf(input))
    if (!envelope.ok) throw invalidEnvelope(envelope)
    // Loading the policy adds the verbs of the user's config.
    await this.#session.policy()
    const isElsewhere = isRemoteName(envelope.verb) || this.#session.settings.mapping !== undefined
    const name = this.registry.nameOf(envelope.verb, true) ?? (isElsewhere ? envelope.verb : undefined)
    if (name === undefined) throw unknownVerb(envelope.verb, this.#unknownHint(envelope.verb))
    const params = envelope.arguments
    if (!isRecord(params)) {
      throw cannotDeserialize(
        name, 'INVALID_PARAMETER', `arguments must be a mapping, not ${kindOf(params)}`,
        params === null ? 'Write arguments: {} for a verb that takes none.' : 'Write each parameter by its name.',
      )
    }
    const running = this.#session.during(own, (begun) => this.#runBegun(name, params, begun), false)
    return tracked(this.#session.running, running)
  }

  /** Kills the session's running processes, and waits until they have ended. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.dispose()
  }

  async #runBegun(name: string, params: Record<string, unknown>, begin: Begun): Promise<VerbResult> {
    const { registry, settings } = this.#session
    const { context, transaction, remote, late, onOutput, problem, warnings: begun, lateWarnings } = begin
    if (problem) return failureResult(problem.message, problem.code, problem.hint)
    if (context.signal.aborted) return failureResult(CANCELLED_BEFORE_START, 'CANCELLED', 'Run it again.')
    const block = { id: 'b1', format: 'envelope', action: name, params, startLine: 1, endLine: 1 } as const
    const parts = { registry, settings, context, transaction, remote, late, onOutput }
    const { outcome, verb, isInvalid } = await runBlock(block, parts)
    const told = { blockId: block.id, action: name, params: settings.masker.value(params), ...outcome }
    const warnings = await endRun(transaction, [...begun, ...lateWarnings()], told, settings.rules)
    const { success, error = '', code = 'INTERNAL', hint, data } = outcome
    if (code === 'UNKNOWN_ACTION' && !isRemoteName(name)) throw unknownVerb(name, hint)
    if (isInvalid) throw cannotDeserialize(name, code, error, hint)
    if (!success) {
      // A failure without data has no result fields; data of one need not match the result's schema.
      const known = Object.entries(verb && data !== undefined ? ownFields(verb, data) : {})
      const inCamelCase = Object.fromEntries(known.map(([field, value]) => [camelCase(field), value]))
      return { ...failureResult(error, code, hint), ...inCamelCase, ...warnings }
    }
    return { succeeded: true, ...(verb && ownFields(verb, data)), ...(hint !== undefined && { hint }), ...warnings }
  }

  #unknownHint(name: string): string {
    const names = this.registry.names()
    const near = nearestAction(name.toLowerCase(), names.map((known) => known.toLowerCase()))
    const meant = near === undefined ? undefined : this.registry.nameOf(near, true)
    return meant === undefined ? `Verbs: ${names.join(', ')}.` : `Did you mean ${meant}?`
  }
}

/** Ends the run that each envelope is: with a journal, and in a git work tree with a commit. */
async function endRun(
  transaction: RunTransaction | undefined, begun: readonly string[], told: Parameters<typeof summarize>[0][number],
  rules: SummaryPlaces,
): Promise<{ warnings?: string[] }> {
  const ended = await transaction?.finish(summarize([told], 0, rules))
  const all = [...begun, ...(ended?.warnings ?? []), ...(ended?.fatalError === undefined ? [] : [ended.fatalError])]
  return all.length > 0 ? { warnings: all } : {}
}

/**
 * JSON of a value, which is then read under the same rules as text. @throws HermesError `INVALID_ENVELOPE` where it has
 * none
 */
function jsonOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? 'null'
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error
    throw invalidEnvelope({ message: 'The value has no form in JSON', hint: 'Give texts, numbers, lists and objects.' })
  }
}

function failureResult(
  errorMessage: string, errorCode: Outcome['code'], hint: string | undefined,
): VerbResult {
  return { succeeded: false, errorMessage, errorCode, ...(hint !== undefined && { hint }) }
}

/** The result's own fields in JSON form, without those that every result has. */
function ownFields(verb: AnyVerb, data: unknown): object {
  const { succeeded: _, ...own } = toVerbResult(verb, data)
  return own
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return `a ${typeof value}`
}

/** Error of `VerbExecutor` for a name in use. */
function alreadyRegistered(name: string): HermesError {
  return new HermesError('ALREADY_REGISTERED', `Verb '${name}' is already registered.`, {
    hint: 'Give the verb another name: names ignore case here.',
  })
}

function invalidEnvelope(
  { message, hint, line, column }: Omit<Extract<BareEnvelope, { ok: false }>, 'ok'>,
): HermesError {
  const place = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`
  return new HermesError('INVALID_ENVELOPE', 'Invalid Verb envelope.', { hint: sentences(`${message}${place}`, hint) })
}

function unknownVerb(name: string, hint: string | undefined): HermesError {
  return new HermesError('UNKNOWN_ACTION', `Unknown Verb '${escapeControls(clip(name, MAX_NAME))}'.`, { hint })
}

function cannotDeserialize(name: string, code: string, problem: string, hint?: string): HermesError {
  return new HermesError(code, `Failed to deserialize arguments for Verb '${name}'.`, {
    hint: sentences(problem, hint),
  })
}

function sentences(first: string, second: string | undefined): string {
  const ended = /[.!?]$/.test(first) ? first : `${first}.`
  return second === undefined ? ended : `${ended} ${second}`
}
