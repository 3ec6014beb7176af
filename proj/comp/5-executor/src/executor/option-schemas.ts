import * as v from 'valibot'
import {
  CHECKS, EXTENSION_SETTINGS, MAPPING_NAMES, problemOfHost, READ_FORMATS, type HermesError,
  type StreamOptions,
} from '../../../0-contracts/src/index.js'
import { nearest, usageError } from '../../../0-text/src/index.js'

const strings = v.array(v.string(), 'Expected an array of strings')
const positive = v.pipe(v.number(), v.integer(), v.minValue(1))

const LIMITS = v.strictObject({
  ...v.entriesFromList([
    'maxFileBytes', 'maxOutputBytes', 'commandTimeoutMs', 'maxCommandTimeoutMs', 'maxMatches', 'maxBlocks',
    'maxWrittenBytes', 'runTimeoutMs', 'maxProcesses', 'maxMemoryBytes',
  ], v.optional(positive)),
  droppedShare: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
})

/** Names of limits in policy files, and the options they set. */
const LIMITS_OF_POLICY: Readonly<Partial<Record<string, keyof typeof LIMITS.entries>>> = {
  file_size: 'maxFileBytes', output_size: 'maxOutputBytes', command_time: 'commandTimeoutMs', run_time: 'runTimeoutMs',
  blocks: 'maxBlocks', written: 'maxWrittenBytes', processes: 'maxProcesses', memory: 'maxMemoryBytes',
}

/** Host names and addresses, with or without a port. */
const HOSTS = v.pipe(
  v.array(v.pipe(v.string(), v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? problemOfHost(dataset.value) : undefined
    if (message !== undefined) addIssue({ message: `${dataset.value}: ${message}` })
  }))), v.minLength(1, 'Expected a host; false closes the network'),
)

const OPTIONS = v.strictObject({
  root: v.optional(v.string()),
  allow: v.optional(strings),
  rootAliases: v.optional(strings),
  relativePaths: v.optional(v.boolean()),
  dryRun: v.optional(v.boolean()),
  match: v.optional(v.picklist(['exact', 'tolerant'], 'Expected "exact" or "tolerant"')),
  checks: v.optional(v.picklist(CHECKS, 'Expected "off", "syntax" or "full"')),
  toolsets: v.optional(strings),
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
  // Valibot's objects accept arrays, so check first.
  limits: v.optional(v.pipe(v.custom<object>(isPlainObject, 'Expected an object'), LIMITS)),
  sandbox: v.optional(v.picklist(['auto', 'bwrap', 'unshare', 'none'])),
  network: v.optional(v.union([v.boolean(), HOSTS], 'Expected true, false or a list of hosts')),
  timeoutMs: v.optional(positive),
  signal: v.optional(v.instance(AbortSignal)),
  ...v.entriesFromList(['onEvent', 'onProgress', 'onOutput'], v.optional(v.function())),
  extensions: v.optional(EXTENSION_SETTINGS),
  extensionUi: v.optional(v.custom<object>(isPlainObject)),
  extensionLimitMs: v.optional(positive),
  extensionQuietMs: v.optional(positive),
  ...v.entriesFromList([
    'onExtensionLog', 'onExtensionWarning', 'onPrepared', 'unit', 'onWait', 'onTouch', 'rewrite', 'leaveOut', 'refuse',
    'beforeWrite',
  ], v.optional(v.function())),
  mcpServers: v.optional(v.array(v.custom<object>(isPlainObject))),
  delegates: v.optional(v.custom<object>(isPlainObject)), copyOf: v.optional(v.string()),
  changeTexts: v.optional(v.boolean()),
  within: v.optional(strings),
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

/** Checks options at run time, for callers without types. @throws HermesError `INVALID_OPTION` */
export function checkOptions(options: unknown): void {
  if (!isPlainObject(options)) throw usageError('Options must be an object', 'Write execute(text, { root }).')
  const checked = v.safeParse(OPTIONS, options)
  if (!checked.success) throw optionError(checked.issues[0])
}

/** Default of how much of its results a stream keeps, in bytes. */
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

function optionError(issue: v.BaseIssue<unknown>, options: object = OPTIONS.entries): HermesError {
  const path = v.getDotPath(issue) ?? ''
  if (issue.expected === 'never') {
    const names = Object.keys(path.startsWith('limits.') ? LIMITS.entries : options)
    const name = path.slice(path.lastIndexOf('.') + 1)
    const meant = path.startsWith('limits.') ? LIMITS_OF_POLICY[name] ?? nearest(name, names) : nearest(name, names)
    return usageError(
      `Unknown option: ${path}`, meant === undefined ? `Options: ${names.join(', ')}.` : `Did you mean ${meant}?`,
    )
  }
  const expected = issue.expected && issue.expected !== 'unknown' ? `Expected ${issue.expected}.`
    : 'See HermesOptions for what it takes.'
  return usageError(`Invalid option ${path}: ${issue.message}`, [expected, exampleOf(path)].filter(Boolean).join(' '))
}

/** Example values for options whose name does not tell their form. */
const EXAMPLES: Readonly<Partial<Record<keyof typeof OPTIONS.entries, string>>> = {
  root: 'root: process.cwd()',
  allow: "allow: ['/home/me/other']",
  rootAliases: "rootAliases: ['/workspace']",
  relativePaths: 'relativePaths: true',
  toolsets: "toolsets: ['edit']",
  editFormats: "editFormats: ['search-replace']",
  limits: 'limits: { maxFileBytes: 1_000_000 }',
  policy: "policy: { sandbox: 'none' }",
  sandbox: "sandbox: 'auto'",
  network: "network: ['packages.example.com']",
  timeoutMs: 'timeoutMs: 30_000',
  waitMs: 'waitMs: 5_000',
  gitCommit: 'gitCommit: false',
  approve: "approve: async (request) => 'deny'",
  onEvent: 'onEvent: (event) => console.log(event)',
  signal: 'signal: AbortSignal.timeout(60_000)',
  registry: 'registry: new VerbRegistry(VERBS)',
}

/** An example that sets the option; for an element or a field, its whole option. */
function exampleOf(path: string): string | undefined {
  const [name = ''] = path.split('.')
  if (!Object.hasOwn(EXAMPLES, name)) return undefined
  return `Write it so: execute(text, { ${EXAMPLES[name as keyof typeof EXAMPLES]} }).`
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
