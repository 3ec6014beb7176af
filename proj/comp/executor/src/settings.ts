import * as v from 'valibot'
import { HermesError, type AnyVerb, type HermesOptions, type Limits } from '../../contracts/src/index.js'
import { selectToolsets, type PathRules, type VerbRegistry } from '../../registry/src/index.js'
import { nearest } from '../../text/src/index.js'

/** What `execute` and `new Hermes` take: the contract's options and the registry to look verbs up in. */
export interface ExecutorOptions extends HermesOptions {
  /** Default: every built-in verb. */
  registry?: VerbRegistry
}

export const DEFAULT_LIMITS: Readonly<Limits> = {
  maxFileBytes: 10 * 1024 * 1024,
  maxOutputBytes: 1024 * 1024,
  commandTimeoutMs: 120_000,
  maxCommandTimeoutMs: 3_600_000,
  maxMatches: 10_000,
}

/** Options checked and completed. */
export interface Settings {
  root: string
  allow: readonly string[]
  rules: PathRules
  limits: Limits
  dryRun: boolean
  startsInThink: boolean
  inToolset: ((verb: AnyVerb) => boolean) | undefined
  /** Names of the enabled toolsets, for hints. */
  toolsets: readonly string[]
}

const directories = v.array(v.string())
const positive = v.pipe(v.number(), v.integer(), v.minValue(1))

const LIMITS = v.strictObject({
  maxFileBytes: v.optional(positive),
  maxOutputBytes: v.optional(positive),
  commandTimeoutMs: v.optional(positive),
  maxCommandTimeoutMs: v.optional(positive),
  maxMatches: v.optional(positive),
})

const OPTIONS = v.strictObject({
  root: v.optional(v.string()),
  allow: v.optional(directories),
  rootAliases: v.optional(directories),
  relativePaths: v.optional(v.boolean()),
  dryRun: v.optional(v.boolean()),
  toolsets: v.optional(v.array(v.string())),
  gitCommit: v.optional(v.literal(false)),
  approve: v.optional(v.function()),
  ui: v.optional(v.custom(isUserInterface, 'Expected a UserInterface: { ask, confirm }')),
  // Valibot's objects accept arrays.
  limits: v.optional(v.pipe(v.custom<object>(isPlainObject, 'Expected an object'), LIMITS)),
  timeoutMs: v.optional(positive),
  signal: v.optional(v.instance(AbortSignal)),
  onEvent: v.optional(v.function()),
  startsInThink: v.optional(v.boolean()),
  registry: v.optional(v.custom(isRegistry, 'Expected a VerbRegistry')),
})

/** @throws HermesError `INVALID_OPTION`: the only errors `execute` ever throws */
export function readSettings(options: ExecutorOptions): Settings {
  if (!isPlainObject(options)) throw new HermesError('INVALID_OPTION', 'Options must be an object', { hint: 'Write execute(text, { root }).' })
  const checked = v.safeParse(OPTIONS, options)
  if (!checked.success) throw optionError(checked.issues[0])
  const { root = process.cwd(), allow = [], rootAliases = [], relativePaths = false, toolsets } = options
  return {
    root,
    allow,
    rules: { relativePaths, root, rootAliases },
    limits: readLimits(options),
    dryRun: options.dryRun ?? false,
    startsInThink: options.startsInThink ?? false,
    inToolset: toolsets === undefined ? undefined : selectToolsets(toolsets),
    toolsets: toolsets ?? [],
  }
}

/** One time that the user gives binds every command, those that ask for more as well. */
function readLimits({ limits = {}, timeoutMs }: ExecutorOptions): Limits {
  const given = withoutUndefined(limits)
  const time = timeoutMs ?? given.commandTimeoutMs
  const longest = given.maxCommandTimeoutMs ?? time ?? DEFAULT_LIMITS.maxCommandTimeoutMs
  const usual = Math.min(time ?? DEFAULT_LIMITS.commandTimeoutMs, longest)
  return { ...DEFAULT_LIMITS, ...given, commandTimeoutMs: usual, maxCommandTimeoutMs: longest }
}

function optionError(issue: v.BaseIssue<unknown>): HermesError {
  const path = v.getDotPath(issue) ?? ''
  if (issue.expected === 'never') {
    const names = Object.keys(path.startsWith('limits.') ? LIMITS.entries : OPTIONS.entries)
    const meant = nearest(path.slice(path.lastIndexOf('.') + 1), names)
    return new HermesError('INVALID_OPTION', `Unknown option: ${path}`, {
      hint: meant === undefined ? `Options: ${names.join(', ')}.` : `Did you mean ${meant}?`,
    })
  }
  return new HermesError('INVALID_OPTION', `Invalid option ${path}: ${issue.message}`, {
    hint: issue.expected && issue.expected !== 'unknown' ? `Expected ${issue.expected}.` : 'See HermesOptions for what it takes.',
  })
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isUserInterface(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ['ask', 'confirm'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
}

function isRegistry(value: unknown): boolean {
  return isPlainObject(value) && ['load', 'loadAll', 'names', 'nearest'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
}

function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
