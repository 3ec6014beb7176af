import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkPolicyOption, ownSecrets, type PolicyWishes } from '../../../2-config/src/index.js'
import {
  DEFAULT_CHECKS, formatsOf, orNothing, type ActionResult, type AnyVerb, type Checks, type ExtensionSetting,
  type HermesError, type HermesOptions, type KeptReading, type Limits, type ParsedBlock,
  type ParseOutcome, type ReadFormat, type Touch,
} from '../../../0-contracts/src/index.js'
import type { ExtensionUi, PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { ReadBlock } from '../../../1-reading/src/index.js'
import { selectToolsets, type PathRules, type VerbRegistry } from '../../../1-registry/src/index.js'
import { createMasker, type Masker } from '../../../0-text/src/index.js'
import { checkOptions } from './option-schemas.js'

const DEFAULT_CHECK_MS = 5000
const DEFAULT_SYNTAX_MS = 500

/** Whether a run that fails is put back; else it goes forward only. */
export const DEFAULT_ATOMIC: boolean = false

/** What `execute` and `new Hermes` take: the contract's options and the registry to look verbs up in. */
export interface ExecutorOptions extends HermesOptions {
  /** How long a run waits for the language service (`checks: full`), in milliseconds. Default 5,000; 0: not at all. */
  checkMs?: number
  /**
   * How long the code that a block wrote may take to parse, beyond what code of its length takes, in milliseconds: what
   * takes longer is not looked at. Default 500.
   */
  syntaxMs?: number
  /** Default: every built-in verb, and those that the user's config brings. */
  registry?: VerbRegistry
  /** Major versions of verbs that count in place of the newest, by name: those that a recording was made with. */
  verbVersions?: Readonly<Record<string, string>>
  /** Verbs that the user's config brings are added to a `registry` that is given, too: all, or those. Default: none. */
  ownVerbs?: boolean | ((verb: AnyVerb) => boolean)
  /** The verbs as which calls of other harnesses' tools run (`mapping`). Default: those of `registry`. */
  mappedVerbs?: VerbRegistry
  /**
   * What runs in place of a block that was read: how calls of other harnesses' tools become calls of verbs. Results
   * tell of the block that ran; where it is `undefined` the block is left out.
   */
  rewrite?: (block: ParsedBlock) => ParsedBlock | undefined
  /**
   * Called for each live block in text order, also one that did not parse: where it gives a reason, the block is listed
   * as skipped for that, and neither runs nor counts.
   */
  leaveOut?: (read: ReadBlock) => string | undefined
  /** Called for each block before it would run: what it gives is why the block fails instead. */
  refuse?: (block: ParsedBlock) => Refusal | undefined
  /**
   * Events of a run tell the texts of what its blocks change, as those of a dry run do; it takes longer. Default false.
   */
  changeTexts?: boolean
  /**
   * Directories of a client: verbs touch nothing outside of them, whatever else is allowed. Commands and git run only
   * where these hold all that the session may touch, since nothing else would keep them inside.
   */
  within?: readonly string[]
  /**
   * In a dry run, commands ask for the approvals that they would ask for before they start (`approve`): so that a user
   * can give them beforehand. Nothing is started. Default false.
   */
  rehearse?: boolean
  /** Who answers the dialogues of `extensions`; default: nobody. */
  extensionUi?: ExtensionUi
  /** The own time of each command of an extension, without that of dialogues, in milliseconds. Default: none. */
  extensionLimitMs?: number | undefined
  /**
   * How long an extension that does not announce the end of its commands has to be quiet for one to be done, in
   * milliseconds; in place of `quiet` of the config. Default: that, else 5,000.
   */
  extensionQuietMs?: number | undefined
  /**
   * What the runs are made for, e.g. `<session>/<message>`: asked before each. Runs of one unit are undone together,
   * and a run of one that changed nothing leaves no journal.
   */
  unit?: () => string | undefined
  /** Told once, in words, who works in the root while a run waits for it (`waitMs`). */
  onWait?: (who: string) => void
  /** Told what each block is about to use, before it does; not of what is on another machine. */
  onTouch?: (touch: Touch) => void
  /** Told what extensions write to standard error, as it comes. */
  onExtensionLog?: (text: string) => void
  /** Told what extensions did wrong after the last answer, one line each. */
  onExtensionWarning?: (line: string) => void
  /** Told what `extensions` made of an answer, before it runs; not of one that the caller prepared. */
  onPrepared?: (prepared: PreparedAnswer) => void
  /**
   * Secrets besides those of the environment, by names such as `SERVER_TOKEN`: results, reports and journals show the
   * name in place of the value.
   */
  secrets?: Readonly<Record<string, string>>
}

/** Why a block does not run. */
export type Refusal = Required<Pick<ActionResult, 'code' | 'error' | 'hint'>>

/** What one run of a session may have of its own, in place of what the session has. */
export interface RunOptions extends Pick<HermesOptions, 'approve' | 'ui' | 'onEvent' | 'onProgress' | 'onOutput'> {
  /** Formats that the user has read besides those of the session. */
  alsoRead?: readonly ReadFormat[]
  /** Told what an answer that is there as a whole holds, as it is read, before any of it runs. */
  onRead?: ((outcome: ParseOutcome) => void) | undefined
  /** Cancels this run alone; that of the session still cancels it too. */
  signal?: AbortSignal | undefined
  /** The answer, where `prepare` has had extensions work on it already; or why it could not: then nothing runs. */
  prepared?: PreparedAnswer | HermesError
  /** Names the run, as `createRunId` of `transaction` does: who named it can take it back. */
  runId?: string
  /**
   * The task it belongs to, where a session serves several at once: shells and context are kept for each (seed 003).
   */
  taskId?: string | undefined
}

/**
 * How a project alone has answers read, each with the line that says so: its author makes live what was only quoted, so
 * that the user is asked about commands in it.
 */
export interface ChosenByProject {
  formats: ReadonlyMap<string, string>
  mapping?: string
}

/** Options checked and completed. */
export interface Settings {
  root: string
  allow: readonly string[]
  rules: PathRules
  /** What the options say of limits, sandbox and network; policy files may say more. */
  wishes: PolicyWishes
  policy: HermesOptions['policy']
  /** Of the secrets in this process's environment, and of `secrets`. */
  masker: Masker
  dryRun: boolean
  checks: Checks
  /** How long a run may wait for the language service. */
  checkMs: number
  /** How long the code that a block wrote may take to parse. */
  syntaxMs: number
  rehearse: boolean
  extensions: readonly (string | ExtensionSetting)[]
  match: 'exact' | 'tolerant' | undefined
  onTouch: ExecutorOptions['onTouch']
  gitCommit: boolean | undefined
  atomic: boolean | 'files'
  durable: boolean
  waitMs: number
  changeTexts: boolean
  hooks: boolean
  startsInThink: boolean
  editFormats: readonly ReadFormat[]
  mapping: HermesOptions['mapping']
  /** Bound of a reply that the policy files set. */
  replyTokens?: number | undefined
  /** The same of one call. */
  callTokens?: number | undefined
  ofProject: ChosenByProject
  mappedVerbs: VerbRegistry | undefined
  /** Of those that the user's config brings; `undefined`: none is taken. */
  takesOwnVerb: ((verb: AnyVerb) => boolean) | undefined
  refuse: ExecutorOptions['refuse']
  inToolset: ((verb: AnyVerb) => boolean) | undefined
  /** Names of the enabled toolsets, for hints. */
  toolsets: readonly string[]
  /** Canonical. */
  within: readonly string[] | undefined
  /** `within` does not hold all that the session could touch without it. */
  isNarrowed: boolean
  /** There is a user to talk to. */
  hasUser: boolean
  /** Whether jobs can be scheduled. */
  hasScheduler: boolean
}

/** @throws HermesError `INVALID_OPTION`: the only errors `execute` ever throws */
export function readSettings(options: ExecutorOptions): Settings {
  checkOptions(options)
  checkPolicyOption(options.policy)
  const { root = process.cwd(), allow = [], rootAliases = [], relativePaths = false, toolsets } = options
  return {
    root,
    allow,
    rules: { relativePaths, root, rootAliases },
    wishes: { limits: readLimits(options), sandbox: options.sandbox, network: options.network },
    policy: options.policy,
    masker: createMasker({ ...process.env, ...ownSecrets(), ...options.secrets }),
    dryRun: options.dryRun ?? false,
    rehearse: options.rehearse ?? false,
    extensions: options.extensions ?? [],
    match: options.match,
    checks: options.checks ?? DEFAULT_CHECKS,
    checkMs: options.checkMs ?? DEFAULT_CHECK_MS,
    syntaxMs: options.syntaxMs ?? DEFAULT_SYNTAX_MS,
    onTouch: options.onTouch,
    gitCommit: options.gitCommit,
    atomic: options.atomic ?? DEFAULT_ATOMIC,
    durable: options.durable ?? false,
    waitMs: options.waitMs ?? 0,
    changeTexts: options.changeTexts ?? false,
    hooks: options.hooks ?? true,
    startsInThink: options.startsInThink ?? false,
    editFormats: formatsOf(options),
    mapping: options.mapping,
    ofProject: { formats: new Map() },
    mappedVerbs: options.mappedVerbs,
    refuse: options.refuse,
    takesOwnVerb: ownVerbsOf(options),
    inToolset: toolsets === undefined ? undefined : selectToolsets(toolsets),
    toolsets: toolsets ?? [],
    within: options.within?.map(canonical),
    isNarrowed: false,
    hasUser: options.ui !== undefined,
    hasScheduler: options.scheduler !== undefined,
  }
}

function ownVerbsOf({ ownVerbs, registry }: ExecutorOptions): Settings['takesOwnVerb'] {
  if (typeof ownVerbs === 'function') return ownVerbs
  return ownVerbs ?? registry === undefined ? () => true : undefined
}

/** What files say of how answers are read counts where no option does. */
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

/** For one run whose user has more formats read: also those that a project names are the user's then. */
export function alsoReading(settings: Settings, formats: readonly ReadFormat[]): Settings {
  const { editFormats, ofProject } = settings
  const others = [...ofProject.formats].filter(([format]) => !formats.some((one) => one === format))
  return {
    ...settings, editFormats: [...new Set([...editFormats, ...formats])],
    ofProject: { ...ofProject, formats: new Map(others) },
  }
}

/** What is not there yet counts as it is written. */
function canonical(directory: string): string {
  return orNothing(() => realpathSync.native(directory), resolve(directory))
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

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
