import { canonicalDirectory } from '../../../2-files/src/index.js'
import { checkPolicyOption, ownSecrets, type PolicyWishes } from '../../../2-config/src/index.js'
import {
  type ActionResult, type AnyVerb, DEFAULT_CHECKS, type Delegates, formatsOf, type HermesError, type HermesOptions,
  type KeptReading, type Limits, type McpServer, type ParsedBlock,
  type ParseOutcome, type ReadFormat, readHosts, type Touch,
} from '../../../0-contracts/src/index.js'
import type { ExtensionUi, PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { ReadBlock } from '../../../1-reading/src/index.js'
import { selectToolsets, type PathRules, type VerbRegistry } from '../../../1-registry/src/index.js'
import { createMasker, type Masker } from '../../../0-text/src/index.js'
import { checkOptions } from './option-schemas.js'

const DEFAULT_CHECK_MS = 5000
const DEFAULT_SYNTAX_MS = 500

/** Whether a failed run is rolled back; otherwise later blocks still run and changes stay. */
export const DEFAULT_ATOMIC: boolean = false

/** Options of `execute` and `new Hermes`: the public ones, and those for front ends and tests. */
export interface ExecutorOptions extends HermesOptions {
  /** How long a run waits for the language service (`checks: full`), in milliseconds. Default 5,000; 0: not at all. */
  checkMs?: number | undefined
  /**
   * How long parsing a block's code may take beyond what code of its length usually takes, in milliseconds; a file that
   * takes longer is not checked. Default 500.
   */
  syntaxMs?: number | undefined
  /** Default: every built-in verb, and those that the user's config adds. */
  registry?: VerbRegistry | undefined
  /** Major version of verbs to use in place of the newest, by name: those that a recording was made with. */
  verbVersions?: Readonly<Record<string, string>> | undefined
  /** Whether verbs that the user's config adds join a given `registry` too: all, or those selected. Default: none. */
  ownVerbs?: boolean | ((verb: AnyVerb) => boolean) | undefined
  /** The verbs that calls of other harnesses' tools run as (`mapping`). Default: those of `registry`. */
  mappedVerbs?: VerbRegistry | undefined
  /**
   * Replaces a block after it was read: how calls of other harnesses' tools become calls of verbs. Results name the
   * block that ran; a block for which it returns `undefined` is left out.
   */
  rewrite?: ((block: ParsedBlock) => ParsedBlock | undefined) | undefined
  /**
   * Called for each live block in text order, also for one that did not parse. If it returns a reason, the block is
   * listed as skipped for that reason, and neither runs nor counts.
   */
  leaveOut?: ((read: ReadBlock) => string | undefined) | undefined
  /** Called for each block before it would run; if it returns a refusal, the block fails with that. */
  refuse?: ((block: ParsedBlock) => Refusal | undefined) | undefined
  /** Whether events carry the texts before and after each change, as in a dry run; slower. Default false. */
  changeTexts?: boolean | undefined
  /**
   * Directories of a client: verbs touch nothing outside of them, whatever else is allowed. Commands and git run only
   * where these hold all that the session may touch, since nothing else would confine them.
   */
  within?: readonly string[] | undefined
  /**
   * In a dry run, whether commands ask for the approvals they would need (`approve`), so that a user can give them
   * beforehand. Nothing is started. Default false.
   */
  rehearse?: boolean | undefined
  /** Answers the dialogues of `extensions`; default: nobody does. */
  extensionUi?: ExtensionUi | undefined
  /** Time limit for each command of an extension, not counting dialogues, in milliseconds. Default: none. */
  extensionLimitMs?: number | undefined
  /**
   * How long an extension that does not announce the end of its commands must be silent for one to count as done, in
   * milliseconds; replaces `quiet` of the config. Default: that, else 5,000.
   */
  extensionQuietMs?: number | undefined
  /**
   * Returns the unit that the next run belongs to, e.g. `<session>/<message>`. Runs of one unit are undone together,
   * and a run of a unit that changed nothing leaves no journal.
   */
  unit?: (() => string | undefined) | undefined
  /** Called once, with who works in the root, when a run has to wait for it (`waitMs`). */
  onWait?: ((who: string) => void) | undefined
  /**
   * Called before a verb changes files of this machine, with their paths (found by trying the call in memory). If it
   * throws, the call fails with that error. Default: not called.
   */
  beforeWrite?: ((paths: readonly string[], signal: AbortSignal) => Promise<void>) | undefined
  /** MCP servers besides those of the user's config, which take precedence by name. */
  mcpServers?: readonly McpServer[] | undefined
  /** Carries out `delegate` and `delegate_accept`. Without it models are not offered these verbs. */
  delegates?: Delegates | undefined
  /**
   * The directory that the root is a copy of (absolute, links resolved): its policy files apply, and judge a path of
   * the copy as the same path there.
   */
  copyOf?: string | undefined
  /** Called with what each block is about to use, before it does; not for files on another host. */
  onTouch?: ((touch: Touch) => void) | undefined
  /** Called with what extensions write to standard error, as it arrives. */
  onExtensionLog?: ((text: string) => void) | undefined
  /** Called with protocol errors of extensions after the last answer, one line each. */
  onExtensionWarning?: ((line: string) => void) | undefined
  /** Called with what `extensions` made of an answer, before it runs; not for an answer that the caller prepared. */
  onPrepared?: ((prepared: PreparedAnswer) => void) | undefined
  /**
   * Secrets besides those of the environment, by names such as `SERVER_TOKEN`: results, reports and journals show the
   * name in place of the value.
   */
  secrets?: Readonly<Record<string, string>> | undefined
}

/** Why a block does not run. */
export type Refusal = Required<Pick<ActionResult, 'code' | 'error' | 'hint'>>

/** Options of one run that override the session's. */
export interface RunOptions extends Pick<HermesOptions, 'approve' | 'ui' | 'onEvent' | 'onProgress' | 'onOutput'> {
  /** Formats to read in this run, besides those of the session. */
  alsoRead?: readonly ReadFormat[] | undefined
  /** Called with everything read from a complete answer, before any of it runs. */
  onRead?: ((outcome: ParseOutcome) => void) | undefined
  /** Cancels this run alone; the session's signal cancels it too. */
  signal?: AbortSignal | undefined
  /** What `prepare` made of the answer; or the error why it could not: then nothing runs. */
  prepared?: PreparedAnswer | HermesError | undefined
  /** Id of the run, made by `createRunId` of `transaction`: the caller can undo the run by it. */
  runId?: string | undefined
  /** The task it belongs to, where a session serves several at once: each has its own shells and context. */
  taskId?: string | undefined
}

/**
 * Formats and mapping that only the project's config enables, each with the line that does. Their blocks were only
 * quoted text to the user, so commands in them require approval.
 */
export interface ChosenByProject {
  formats: ReadonlyMap<string, string>
  mapping?: string
}

/** Options that count as they are given. */
type AsGiven = Required<Pick<
  ExecutorOptions,
  'policy' | 'match' | 'onTouch' | 'beforeWrite' | 'gitCommit' | 'mapping' | 'mappedVerbs' | 'refuse' | 'copyOf'
>>
/** Options that have a default. */
type Completed = Required<Pick<
  ExecutorOptions,
  'dryRun' | 'checks' | 'checkMs' | 'syntaxMs' | 'rehearse' | 'extensions' | 'atomic' | 'durable' | 'waitMs'
    | 'changeTexts' | 'hooks' | 'startsInThink' | 'editFormats' | 'root' | 'allow' | 'toolsets'
>>

/** Checked and completed options. */
export interface Settings extends AsGiven, NotUndefined<Completed> {
  rules: PathRules
  /** The options on limits, sandbox and network; policy files may tighten them. */
  wishes: PolicyWishes
  /** Masks the secrets of this process's environment, and those of `secrets`. */
  masker: Masker
  /** Token limit of a reply, from the policy files. */
  replyTokens?: number | undefined
  /** Token limit of one call's text, from the policy files. */
  callTokens?: number | undefined
  ofProject: ChosenByProject
  /** Which verbs of the user's config to add; `undefined`: none. */
  takesOwnVerb: ((verb: AnyVerb) => boolean) | undefined
  inToolset: ((verb: AnyVerb) => boolean) | undefined
  /** Absolute paths with links resolved. */
  within: readonly string[] | undefined
  /** Whether `within` leaves out something that the session could touch otherwise. */
  isNarrowed: boolean
  /** Whether there is a user to ask. */
  hasUser: boolean
  /** Whether jobs can be scheduled. */
  hasScheduler: boolean
  /** Whether tasks can be delegated. */
  hasDelegates: boolean
}

/** Checks and completes options. @throws HermesError `INVALID_OPTION`: the only error that `execute` throws */
export function readSettings(options: ExecutorOptions): Settings {
  checkOptions(options)
  checkPolicyOption(options.policy)
  const { root = process.cwd(), allow = [], rootAliases = [], relativePaths = false, toolsets } = options
  const { policy, match, onTouch, beforeWrite, gitCommit, mapping, mappedVerbs, refuse, copyOf } = options
  // Hosts in the normalised form in which lists are compared.
  const network = typeof options.network === 'object' ? readHosts(options.network) : options.network
  return {
    policy, match, onTouch, beforeWrite, gitCommit, mapping, mappedVerbs, refuse, copyOf,
    root,
    allow,
    rules: { relativePaths, root, rootAliases },
    wishes: { limits: readLimits(options), sandbox: options.sandbox, network },
    masker: createMasker({ ...process.env, ...ownSecrets(), ...options.secrets }),
    dryRun: options.dryRun ?? false,
    rehearse: options.rehearse ?? false,
    extensions: options.extensions ?? [],
    checks: options.checks ?? DEFAULT_CHECKS,
    checkMs: options.checkMs ?? DEFAULT_CHECK_MS,
    syntaxMs: options.syntaxMs ?? DEFAULT_SYNTAX_MS,
    atomic: options.atomic ?? DEFAULT_ATOMIC,
    durable: options.durable ?? false,
    waitMs: options.waitMs ?? 0,
    changeTexts: options.changeTexts ?? false,
    hooks: options.hooks ?? true,
    startsInThink: options.startsInThink ?? false,
    editFormats: formatsOf(options),
    ofProject: { formats: new Map() },
    takesOwnVerb: ownVerbsOf(options),
    inToolset: toolsets === undefined ? undefined : selectToolsets(toolsets),
    toolsets: toolsets ?? [],
    within: options.within?.map(canonicalDirectory),
    isNarrowed: false,
    hasUser: options.ui !== undefined,
    hasScheduler: options.scheduler !== undefined,
    hasDelegates: options.delegates !== undefined,
  }
}

function ownVerbsOf({ ownVerbs, registry }: ExecutorOptions): Settings['takesOwnVerb'] {
  if (typeof ownVerbs === 'function') return ownVerbs
  return ownVerbs ?? registry === undefined ? () => true : undefined
}

/** Applies the config files' settings for reading where no option sets them. */
export function keepReading(settings: Settings, options: ExecutorOptions, kept: KeptReading): void {
  settings.editFormats = formatsOf(options, kept)
  settings.mapping = options.mapping ?? kept.mapping?.value
  settings.checks = options.checks ?? kept.checks?.value ?? DEFAULT_CHECKS
  settings.replyTokens = kept.replyTokens?.value
  settings.callTokens = kept.callTokens?.value
  const formats = options.editFormats ? [] : kept.formats.filter(({ isOfProject }) => isOfProject)
  const mapping = options.mapping ? undefined : kept.mapping
  settings.ofProject = {
    formats: new Map(formats.map(({ value, by }) => [value, `${by} (dialects: ${value})`])),
    ...(mapping?.isOfProject && { mapping: `${mapping.by} (mapping: ${mapping.value})` }),
  }
}

/** The settings of one run with more formats enabled by its user: no longer enabled by the project alone. */
export function alsoReading(settings: Settings, formats: readonly ReadFormat[]): Settings {
  const { editFormats, ofProject } = settings
  const others = [...ofProject.formats].filter(([format]) => !formats.some((own) => own === format))
  return {
    ...settings, editFormats: [...new Set([...editFormats, ...formats])],
    ofProject: { ...ofProject, formats: new Map(others) },
  }
}

/** One time that the user gives binds every command, those that ask for more as well. */
function readLimits({ limits = {}, timeoutMs }: ExecutorOptions): Partial<Limits> {
  const given = withoutUndefined(limits)
  const time = timeoutMs ?? given.commandTimeoutMs
  return {
    ...given,
    ...(time !== undefined && { maxCommandTimeoutMs: given.maxCommandTimeoutMs ?? time, commandTimeoutMs: time }),
  }
}

type NotUndefined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Drops fields that are `undefined`: they count as not given. */
export function withoutUndefined<T extends object>(values: T): NotUndefined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
