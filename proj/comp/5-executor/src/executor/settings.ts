import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { checkPolicyOption, ownSecrets, type PolicyWishes } from '../../../2-config/src/index.js'
import {
  CHECKS, DEFAULT_CHECKS, EXTENSION_SETTINGS, formatsOf, HermesError, MAPPING_NAMES, orNothing, READ_FORMATS,
  type ActionResult, type AnyVerb, type Checks, type ExtensionSetting, type HermesOptions, type KeptReading,
  type Limits, type ParsedBlock, type ReadFormat, type StreamOptions,
} from '../../../0-contracts/src/index.js'
import type { ExtensionUi, PreparedAnswer } from '../../../2-extensions/src/index.js'
import type { ReadBlock } from '../../../1-reading/src/index.js'
import { selectToolsets, type PathRules, type VerbRegistry } from '../../../1-registry/src/index.js'
import { createMasker, type Masker, nearest } from '../../../0-text/src/index.js'

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

const directories = v.array(v.string())
const positive = v.pipe(v.number(), v.integer(), v.minValue(1))

const LIMITS = v.strictObject({
  maxFileBytes: v.optional(positive),
  maxOutputBytes: v.optional(positive),
  commandTimeoutMs: v.optional(positive),
  maxCommandTimeoutMs: v.optional(positive),
  maxMatches: v.optional(positive),
  maxBlocks: v.optional(positive),
  maxWrittenBytes: v.optional(positive),
  runTimeoutMs: v.optional(positive),
  maxProcesses: v.optional(positive),
  maxMemoryBytes: v.optional(positive),
  droppedShare: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
})

const OPTIONS = v.strictObject({
  root: v.optional(v.string()),
  allow: v.optional(directories),
  rootAliases: v.optional(directories),
  relativePaths: v.optional(v.boolean()),
  dryRun: v.optional(v.boolean()),
  match: v.optional(v.picklist(['exact', 'tolerant'], 'Expected "exact" or "tolerant"')),
  checks: v.optional(v.picklist(CHECKS, 'Expected "off", "syntax" or "full"')),
  toolsets: v.optional(v.array(v.string())),
  checkMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  syntaxMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  gitCommit: v.optional(v.boolean()),
  atomic: v.optional(v.union([v.boolean(), v.literal('files')], 'Expected true, false or "files"')),
  durable: v.optional(v.boolean()),
  waitMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  approve: v.optional(v.function()),
  ui: v.optional(v.custom(isUserInterface, 'Expected a UserInterface: { ask, confirm }')),
  scheduler: v.optional(v.custom<object>(isPlainObject)),
  policy: v.optional(v.union(
    [v.string(), v.literal(false), v.custom<object>(isPlainObject)],
    'Expected the content of a policy, a path, or false',
  )),
  // Valibot's objects accept arrays.
  limits: v.optional(v.pipe(v.custom<object>(isPlainObject, 'Expected an object'), LIMITS)),
  sandbox: v.optional(v.picklist(['auto', 'bwrap', 'unshare', 'none'])),
  network: v.optional(v.boolean()),
  timeoutMs: v.optional(positive),
  signal: v.optional(v.instance(AbortSignal)),
  onEvent: v.optional(v.function()),
  onProgress: v.optional(v.function()),
  onOutput: v.optional(v.function()),
  extensions: v.optional(EXTENSION_SETTINGS),
  extensionUi: v.optional(v.custom<object>(isPlainObject)),
  extensionLimitMs: v.optional(positive),
  extensionQuietMs: v.optional(positive),
  onExtensionLog: v.optional(v.function()),
  onExtensionWarning: v.optional(v.function()), onPrepared: v.optional(v.function()),
  unit: v.optional(v.function()), onWait: v.optional(v.function()),
  rewrite: v.optional(v.function()),
  leaveOut: v.optional(v.function()),
  refuse: v.optional(v.function()),
  changeTexts: v.optional(v.boolean()),
  within: v.optional(directories),
  hooks: v.optional(v.boolean()),
  rehearse: v.optional(v.boolean()),
  secrets: v.optional(v.record(v.string(), v.string())),
  startsInThink: v.optional(v.boolean()),
  editFormats: v.optional(v.array(v.picklist(READ_FORMATS))),
  mapping: v.optional(v.picklist([...MAPPING_NAMES, 'auto'])),
  verbVersions: v.optional(v.record(v.string(), v.string())),
  ownVerbs: v.optional(v.union([v.boolean(), v.function()])),
  registry: v.optional(v.custom(isRegistry, 'Expected a VerbRegistry')),
  mappedVerbs: v.optional(v.custom(isRegistry, 'Expected a VerbRegistry')),
})

/** @throws HermesError `INVALID_OPTION`: the only errors `execute` ever throws */
export function readSettings(options: ExecutorOptions): Settings {
  if (!isPlainObject(options)) {
    throw new HermesError('INVALID_OPTION', 'Options must be an object', { hint: 'Write execute(text, { root }).' })
  }
  const checked = v.safeParse(OPTIONS, options)
  if (!checked.success) throw optionError(checked.issues[0])
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

/** What a stream holds of its results where nothing else is asked for, in bytes. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024

const STREAM_OPTIONS = v.strictObject({
  maxKeptBytes: v.optional(v.pipe(v.number(), v.minValue(0))),
  runId: v.optional(v.string()),
  taskId: v.optional(v.string()),
})

/** @throws HermesError `INVALID_OPTION` */
export function readMaxKeptBytes(options: StreamOptions): number {
  const checked = v.safeParse(STREAM_OPTIONS, options)
  if (!checked.success) throw optionError(checked.issues[0], STREAM_OPTIONS.entries)
  return options.maxKeptBytes ?? MAX_KEPT_BYTES
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

function optionError(issue: v.BaseIssue<unknown>, options: object = OPTIONS.entries): HermesError {
  const path = v.getDotPath(issue) ?? ''
  if (issue.expected === 'never') {
    const names = Object.keys(path.startsWith('limits.') ? LIMITS.entries : options)
    const meant = nearest(path.slice(path.lastIndexOf('.') + 1), names)
    return new HermesError('INVALID_OPTION', `Unknown option: ${path}`, {
      hint: meant === undefined ? `Options: ${names.join(', ')}.` : `Did you mean ${meant}?`,
    })
  }
  return new HermesError('INVALID_OPTION', `Invalid option ${path}: ${issue.message}`, {
    hint: issue.expected && issue.expected !== 'unknown' ? `Expected ${issue.expected}.`
      : 'See HermesOptions for what it takes.',
  })
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isUserInterface(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    && ['ask', 'confirm'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
}

function isRegistry(value: unknown): boolean {
  return isPlainObject(value) && ['load', 'loadAll', 'names', 'nearest'].every((name) =>
    typeof (value as Record<string, unknown>)[name] === 'function')
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
