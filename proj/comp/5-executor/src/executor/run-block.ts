import {
  isNamedDialect, settingName, type AnyVerb, type Fix, type ParsedBlock, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { fixOf, mendedCall } from '../../../1-reading/src/index.js'
import {
  checkResult, meantAction, mendsOf, parameterDefinitions, takes, validateCall, type PathRules, type VerbRegistry,
} from '../../../1-registry/src/index.js'
import { HeldFile } from '../../../2-files/src/index.js'
import type { VerbCall } from '../../../2-mapping/src/index.js'
import { bounded, failure, hintOf, isRefusal, unfitResult, type Outcome } from './failures.js'
import { elseHint, foreignCall, foreignHint, understand, type ForeignCall } from '../foreign/index.js'
import { callHandler } from './handlers/call-handler.js'
import { sandboxWithNews } from './handlers/sandbox-news.js'
import { isCutShort, withChanges } from './handlers/with-changes.js'
import { namesFor, toldVerb, vocabularyOf } from './known-names.js'
import { askFirst, askingForCommands, requireOn } from './permissions.js'
import { rehearse } from './rehearse.js'
import { isRemoteName } from './remote-names.js'
import { requireMet } from './needs/requirements.js'
import { lastLines } from './printed-lines.js'
import { runAsOne } from './run-as-one.js'
import type { BlockRun, RunParts } from './run-parts.js'
import type { Settings } from './settings.js'
import { keysOf, type VerbKeys } from './needs/verb-keys.js'
import { brokenFilesOf, withBroken } from './previews/broken-files.js'
import { pathsToWrite } from './previews/paths-to-write.js'
import { withDifference } from './previews/with-difference.js'
import { withNearPaths } from './previews/with-near-paths.js'
import { writtenOtherwise } from './previews/written-lines.js'

/** Types of verbs that act outside the file store: a dry run cannot try them, and a rollback cannot undo them. */
export const OUTSIDE_THE_STORE = new Set(['exec', 'dynamic', 'git'])
/** Outcome of such a verb in a dry run. */
const NOT_STARTED = { success: true, hint: 'Dry run: not started.' }
/** Categories of verbs for which a dry run asks no approvals. */
export const USER_INTERACTION = 'user_interaction'
export const SCHEDULED = 'cron'
export const DELEGATED = 'delegate'
const NOT_REHEARSED = new Set([USER_INTERACTION, SCHEDULED, DELEGATED])

/** Looks up, validates and runs one block. Never throws: whatever goes wrong is the block's outcome. */
export async function runBlock(block: ParsedBlock, parts: RunParts): Promise<BlockRun> {
  const foreign = await foreignOf(block, parts)
  if (foreign && 'outcome' in foreign) return { outcome: shown(foreign.outcome, parts.settings), started: false }
  const blocks = foreign?.blocks ?? [block]
  const { mappedVerbs } = parts.settings
  const asking = askingFor(block, foreign !== undefined, parts)
  const inForce = foreign && mappedVerbs ? { ...asking, registry: mappedVerbs } : asking
  const { outcome, ...rest } = blocks.length > 1 ? await runAsOne(blocks, inForce, attempt)
    : await attempt(blocks[0] ?? block, inForce)
  if (!foreign) return { outcome: shown(outcome, parts.settings), ...rest }
  const { omitted } = foreign
  const note = omitted.length > 0 ? `Not taken over from ${block.action}: ${omitted.join(', ')}` : undefined
  return {
    outcome: shown({ ...outcome, ...hintOf([note, outcome.hint]) }, parts.settings), ...rest,
    ranAs: blocks.map(({ action, params }) => ({ action, params })),
  }
}

/** Requires approval for commands of a block that is read only because the project's config enables its format. */
function askingFor({ format, dialect = format }: ParsedBlock, isForeign: boolean, parts: RunParts): RunParts {
  const { settings: { editFormats, ofProject: { formats, mapping } }, context } = parts
  const isByAuto = isNamedDialect(dialect) && !editFormats.includes(dialect)
  const by = formats.get(dialect) ?? (isByAuto ? formats.get('auto') : undefined) ?? (isForeign ? mapping : undefined)
  return by === undefined ? parts : { ...parts, context: { ...context, policy: askingForCommands(context.policy, by) } }
}

async function foreignOf(block: ParsedBlock, parts: RunParts): Promise<ForeignCall | undefined> {
  try {
    return await foreignCall(block, parts)
  } catch (error) {
    return { outcome: failure(error, block) }
  }
}

/** The outcome as results may show it: without secrets, and of bounded length. */
export function shown(outcome: Outcome, { masker }: Pick<Settings, 'masker'>): Outcome {
  const masked = bounded(masker.value(outcome))
  if (masked.fix?.text === outcome.fix?.text) return masked
  // A fix with a secret masked in it would write the mask into the block.
  const { fix: _, ...rest } = masked
  return rest
}

/** The corrected lines of an invalid block, where only one correction is possible. */
function fixFor(verb: AnyVerb, block: ParsedBlock, rules: PathRules): Fix | undefined {
  const mends = mendsOf(verb, block, rules)
  return mends && fixOf(block, mends)
}

async function attempt(block: ParsedBlock, parts: RunParts): Promise<BlockRun> {
  const { registry, settings, context } = parts
  let version: string | undefined
  try {
    const local = block.action === '' ? undefined : await registry.load(block.action)
    const remote = local ? undefined : await beforeServer(block, parts)
    if (remote && 'outcome' in remote) return { ...remote, started: false }
    const verb = local ?? (remote && await parts.remote.load(block.action, context.signal))
    const refusal = verb ? await refuse(verb, settings, registry) : await unknownAction(block, parts)
    if (refusal || !verb) return { outcome: { success: false, ...refusal }, started: false }
    // Hermes' own verbs of a single version tell none.
    if (verb.origin !== undefined || registry.versions(verb.name).length > 1) version = verb.version
    requireMet(verb, context.policy)
    requireOn(verb, context.policy)
    const valid = validateCall(verb, block.format, block.params, settings.rules, block.textValues)
    if (!valid.ok) {
      const { code, message, hint } = valid
      const fix = fixFor(verb, block, settings.rules)
      const outcome = {
        success: false, error: message, code, ...(hint !== undefined && { hint }), ...(fix && { fix }),
      }
      return { outcome, version, started: false, isInvalid: true }
    }
    if (settings.dryRun && (OUTSIDE_THE_STORE.has(verb.type) || NOT_REHEARSED.has(verb.category))) {
      for (const path of pathsOf(verb, valid.args)) context.gate.approve(path, 'read')
      return { outcome: settings.rehearse ? await rehearsed(verb, valid.args, context) : NOT_STARTED, started: false }
    }
    const permitted = remote?.granted === verb.name ? parts
      : { ...parts, context: await askFirst(verb, valid.args, context) }
    if (OUTSIDE_THE_STORE.has(verb.type) && !context.elsewhere) settings.onTouch?.({ kind: 'all', gate: context.gate })
    if (settings.beforeWrite && verb.type === 'write' && !context.elsewhere && !settings.dryRun) {
      const paths = await pathsToWrite(verb, valid.args, context)
      if (paths.length > 0) await settings.beforeWrite(paths, context.signal)
    }
    const unfit = await beginBlock(verb, block, parts)
    if (unfit) return unfit
    const keys = keysOf(verb)
    const outcome = await handle(verb, block, valid, permitted, keys)
    return { outcome: keys ? keys.masker.value(outcome) : outcome, version, started: true, verb }
  } catch (error) {
    return { outcome: failure(error, block), version, started: false }
  }
}

/**
 * What is decided of an MCP tool's call before its server runs: no server is started for a call that is refused, in a
 * dry run, or not approved.
 *
 * @returns the verb name that the user approved; `undefined` where there is no such server
 * @throws HermesError `POLICY_DENIED`, `APPROVAL_DENIED`
 */
async function beforeServer(
  { action, params }: ParsedBlock, { registry, settings, remote, context }: RunParts,
): Promise<{ outcome: Outcome } | { granted: string | undefined } | undefined> {
  const expected = isRemoteName(action) ? remote.expected(action) : undefined
  if (!expected) return undefined
  const refusal = await refuse(expected, settings, registry)
  if (refusal) return { outcome: { success: false, ...refusal } }
  requireOn(expected, context.policy)
  if (settings.dryRun) return { outcome: NOT_STARTED }
  // Where the server already runs, arguments are checked before the user is asked.
  if (remote.isStarted(action)) return { granted: undefined }
  await askFirst(expected, params, context)
  return { granted: expected.name }
}

/** A command in a dry run. @throws HermesError as `rehearse` */
async function rehearsed(verb: AnyVerb, args: unknown, context: VerbContext): Promise<Outcome> {
  const reasons: string[] = []
  await rehearse(verb, args, {
    ...context,
    approve(request) {
      reasons.push(request.reason)
      return context.approve(request)
    },
  })
  return reasons.length === 0 ? NOT_STARTED
    : { ...NOT_STARTED, hint: `${NOT_STARTED.hint} It will ask first: ${[...new Set(reasons)].join('; ')}` }
}

/**
 * Tells the transaction that a block starts. Returns a failure where the root is unfit for the run: then none of its
 * blocks can run.
 */
async function beginBlock(verb: AnyVerb, block: ParsedBlock, { transaction }: RunParts): Promise<BlockRun | undefined> {
  try {
    await transaction?.beforeBlock(verb.type)
    return undefined
  } catch (error) {
    const outcome = failure(error, block, verb)
    const { error: message = 'The run could not begin', hint } = outcome
    return { outcome, started: false, fatalError: hint === undefined ? message : `${message}. ${hint}` }
  }
}

async function handle(
  verb: AnyVerb, block: ParsedBlock, { args, warning }: { args: unknown; warning?: string | undefined },
  { context, transaction, late, settings, onOutput }: RunParts, keys: VerbKeys | undefined,
): Promise<Outcome> {
  let isRefused = false
  let isWarned = false as boolean
  const changesBefore = context.files.changes.length
  const news: string[] = []
  try {
    const hints = warning === undefined ? [] : [warning]
    const { vocabulary } = verb
    // For blocks grouped over one file, the file is parsed once, when it is written.
    const broken = context.files instanceof HeldFile ? undefined : brokenFilesOf({ settings, context })
    const returned = await callHandler(verb, args, {
      ...context, vocabulary, files: broken?.files ?? context.files, ...(keys && { keys: keys.values }),
      sandbox: sandboxWithNews(context.sandbox, told => void news.push(told)),
      advise(hint, isWarning) {
        hints.push(hint)
        if (isWarning) isWarned = true
      },
      printing: onOutput
        && ((end) => onOutput({ blockId: block.id, lines: lastLines(settings.masker.text(end)) })),
      ...((block.format === 'whole' || block.dialect === 'plandex') && { takesWholeFile: true }),
    }, late)
    const checked = checkResult(verb, returned)
    if (!checked.ok) throw unfitResult(verb, checked.problem)
    const { data } = checked
    const written = await writtenOtherwise(data, block.params, context)
    hints.push(...news)
    const outcome: Outcome = {
      success: true, ...(data !== undefined && { data }), ...(written && { written }),
      ...hintOf(hints), ...(isWarned && { warned: true }),
    }
    return withBroken(outcome, await broken?.broken())
  } catch (error) {
    isRefused = isRefusal(error)
    const failed = failure(await withNearPaths(await withDifference(error), context), block, verb)
    const outcome = { ...failed, ...hintOf([failed.hint, ...news]) }
    // The writes of an extension's verb are reported as well: no other verb fails half-way.
    return isCutShort(outcome) || verb.origin !== undefined
      ? withChanges(outcome, context.files.changes.slice(changesBefore)) : outcome
  } finally {
    transaction?.afterBlock(verb.type, isRefused)
    if (OUTSIDE_THE_STORE.has(verb.type)) context.elsewhere?.commandEnded()
  }
}

async function unknownAction(
  block: ParsedBlock, parts: RunParts,
): Promise<Pick<Outcome, 'error' | 'code' | 'hint' | 'fix'>> {
  const { registry, settings, remote } = parts
  if (block.action === '') {
    return {
      code: 'MISSING_ACTION', error: "Missing 'action' field in SHAM block",
      hint: `Add a line action = "…" with one of: ${await namesFor(block, registry, settings)}`,
    }
  }
  const error = `Unknown action: ${block.action}`
  if (isRemoteName(block.action)) return { code: 'UNKNOWN_ACTION', error, hint: remote.hint(block.action) }
  return { code: 'UNKNOWN_ACTION', error, ...await meantInstead(block, parts) }
}

/** For an unknown verb: the call that a mapping makes of it, a verb with a similar name, or the list of verbs. */
async function meantInstead(block: ParsedBlock, parts: RunParts): Promise<Pick<Outcome, 'hint' | 'fix'>> {
  const { registry, settings } = parts
  const near = registry.nearest(block.action)
  if (near?.toLowerCase() === block.action.toLowerCase()) return offered(near, block, parts)
  // A mapping named in the options was tried already.
  const understood = settings.mapping === undefined ? await understand('auto', block, parts) : undefined
  const hint = understood && await foreignHint(block, understood, async (name) => {
    const verb = await toldVerb(name, registry)
    return verb !== undefined && !(await refuse(verb, settings, registry))
  })
  const meant = meantAction(block.action, vocabularyOf(block), (name) => registry.has(name))
  // Parameters that the other harness's tool does not have may be those of the similar verb.
  const other = meant !== undefined && understood?.kind === 'unmapped' ? await offered(meant, block, parts) : undefined
  if (other?.fix) return other
  if (hint !== undefined) {
    const fix = understood?.kind === 'call' ? await fixAs(understood.call, block, parts) : undefined
    return { hint, ...(fix && { fix }) }
  }
  if (meant !== undefined) return offered(meant, block, parts)
  if (near !== undefined) return offered(near, block, parts, registry.onlyNear(block.action) !== undefined)
  return { hint: elseHint(block.action) ?? `Actions: ${await namesFor(block, registry, settings)}` }
}

/** @param isOnly whether no other verb can be meant */
async function offered(
  name: string, block: ParsedBlock, { registry, settings }: RunParts, isOnly = true,
): Promise<Pick<Outcome, 'hint' | 'fix'>> {
  const verb = await toldVerb(name, registry)
  if (!verb || await refuse(verb, settings, registry)) return { hint: `Did you mean ${name}?` }
  const fix = isOnly ? fixFor(verb, block, settings.rules) : undefined
  return { hint: `Did you mean ${name}? ${takes(verb)}`, ...(fix && { fix }) }
}

/**
 * The block with corrected names, only where this gives the same call as the mapping: its values may need conversion.
 */
async function fixAs(
  { verb: name, arguments: args }: VerbCall, block: ParsedBlock, { registry, settings }: RunParts,
): Promise<Fix | undefined> {
  const verb = await toldVerb(name, registry)
  const mends = verb && mendsOf(verb, block, settings.rules)
  if (!mends) return undefined
  const { action: _, ...params } = mendedCall(block, mends).params
  const paths = new Set(pathParameters(verb))
  const said = (call: Record<string, unknown>): string => JSON.stringify(
    Object.entries(call).sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, paths.has(key) || String(value)]),
  )
  return said(params) === said(args) ? fixOf(block, mends) : undefined
}

async function refuse(
  verb: AnyVerb, settings: Settings, registry: VerbRegistry,
): Promise<Pick<Outcome, 'error' | 'code' | 'hint'> | undefined> {
  const denied = (why: string, hint: string) => ({ code: 'POLICY_DENIED', error: `${verb.name} ${why}`, hint })
  if (!verb.accessibility.includes('llm')) {
    return denied('can be called by the user only', `Ask the user to run it${asCommand(verb)}.`)
  }
  if (settings.atomic === true && OUTSIDE_THE_STORE.has(verb.type)) return denied(
    'cannot run in an atomic run: what it changes cannot be put back',
    `Leave it out, or ask the user for ${settingName('filesAlone')}, which puts back files only.`,
  )
  const isOutside = OUTSIDE_THE_STORE.has(verb.type) || verb.category === 'version_control'
  if (settings.isNarrowed && isOutside) return denied(
    "cannot run: it would reach what is outside of the client's roots",
    'Do without commands and git, or ask the user to serve only a directory that the roots hold (--root).',
  )
  const { inToolset, toolsets } = settings
  if (!inToolset || inToolset(verb)) return undefined
  const enabled = (await registry.loadUsable()).verbs.filter(inToolset).map(({ name }) => name)
  return denied(
    `is not in the enabled toolsets (${toolsets.join(', ') || 'none'})`,
    enabled.length > 0 ? `Use a verb of ${toolsets.join(', ')}: ${enabled.join(', ')}.`
      : 'No verb is enabled: ask the user for a toolset.',
  )
}

/** Names the command that does the same, for verbs over the run history: `: hermes undo`. */
function asCommand({ name, category }: AnyVerb): string {
  return category === 'version_control' ? `: hermes ${name.replace(/^git_/, '').replaceAll('_', '-')}` : ''
}

/** The values of a call's path parameters. */
function pathsOf(verb: AnyVerb, args: unknown): string[] {
  const values = args as Record<string, unknown>
  return pathParameters(verb).map((name) => values[name]).filter((value) => typeof value === 'string')
}

function pathParameters(verb: AnyVerb): string[] {
  return Object.entries(parameterDefinitions(verb.args))
    .flatMap(([name, { format }]) => (format === 'absolute_path' || format === 'path' ? [name] : []))
}
