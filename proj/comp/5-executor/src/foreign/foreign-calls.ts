import { isAbsolute, resolve } from 'node:path'
import {
  type ActionResult, type HermesOptions, ifPossible, isNamedDialect, MAPPING_NAMES, type ParsedBlock, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { validateCall, type PathRules, type VerbRegistry } from '../../../1-registry/src/index.js'
import type { MappingChoice, MappingPlace, Understood, VerbCall } from '../../../2-mapping/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import { parametersOf } from '../verbs/parameters-of.js'
import { ambiguousHint, apartHint, missingHint, unmappedHint } from './foreign-hints.js'

/** What is needed to interpret another harness's call. */
export interface ForeignParts {
  registry: VerbRegistry
  settings: { mapping: HermesOptions['mapping']; mappedVerbs: VerbRegistry | undefined; rules: PathRules }
  context: Pick<VerbContext, 'gate' | 'files' | 'limits'>
}

type Outcome = Pick<ActionResult, 'success' | 'error' | 'code' | 'hint'>
type Choice = NonNullable<HermesOptions['mapping']>

/** What becomes of a call of another harness's tool: blocks to run in its place, or an outcome without running any. */
export type ForeignCall = { blocks: readonly ParsedBlock[]; omitted: readonly string[] } | { outcome: Outcome }

/** Mappings that were loaded, so that each is read once. */
const choices = new Map<Choice, Promise<MappingChoice>>()

/**
 * Maps a call that names no verb of the session, if its mapping knows the tool. Verb names take precedence: a call that
 * a verb accepts is not mapped.
 */
export async function foreignCall(block: ParsedBlock, parts: ForeignParts): Promise<ForeignCall | undefined> {
  const { registry, settings } = parts
  const mapping = ownMapping(block) ?? settings.mapping
  if (mapping === undefined || block.action === '') return undefined
  const verb = await registry.load(block.action)
  if (verb && validateCall(verb, block.format, block.params, settings.rules, block.textValues).ok) return undefined
  const understood = await understand(mapping, block, parts)
  const calls = understood.kind === 'call' ? [understood.call] : understood.kind === 'several' ? understood.calls : []
  const isWhole = calls.length > 0 && calls.every(({ missing }) => missing.length === 0)
  if (isWhole && (calls.length === 1 || await changeOneFile(calls, settings.mappedVerbs ?? registry))) {
    return {
      blocks: calls.map(({ verb: action, arguments: params }) => ({ ...block, action, params, format: 'tool_call' })),
      omitted: [...new Set(calls.flatMap(({ omitted }) => omitted))],
    }
  }
  // The verb itself reports best what is wrong with a call of it.
  return verb ? undefined : answerTo(block, understood)
}

/** The mapping of the harness whose dialect the call is written in: no other harness writes that dialect. */
function ownMapping({ dialect }: ParsedBlock): Choice | undefined {
  return dialect !== undefined && isNamedDialect(dialect) ? MAPPING_NAMES.find((name) => name === dialect) : undefined
}

/** Applies a mapping to a block, given the files of this run. */
export async function understand(
  mapping: Choice, { action, params, format }: ParsedBlock, { settings, context }: Omit<ForeignParts, 'registry'>,
): Promise<Understood> {
  const isSham = format === 'sham' || format === 'nesl'
  const args = isSham
    ? Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'action' && !name.startsWith('@')))
    : params
  return (await choiceOf(mapping)).read(action, args, placeOf(settings.rules, context))
}

function answerTo(block: ParsedBlock, understood: Understood): ForeignCall | undefined {
  const failed = (code: string, error: string, hint: string): ForeignCall => (
    { outcome: { success: false, code, error, hint } }
  )
  const unknown = (hint: string): ForeignCall => failed('UNKNOWN_ACTION', `Unknown action: ${block.action}`, hint)
  switch (understood.kind) {
    case 'unknown': return undefined
    case 'skipped': return { outcome: { success: true, hint: `Nothing to run: ${understood.reason}.` } }
    case 'call': return failed(
      'MISSING_PARAMETER', `Missing required parameter: ${understood.call.missing.join(', ')}`,
      missingHint(block.action, understood.call),
    )
    case 'several': {
      const lacking = understood.calls.find(({ missing }) => missing.length > 0)
      if (lacking) return answerTo(block, { kind: 'call', call: lacking, mappings: understood.mappings })
      return unknown(apartHint(block, understood))
    }
    case 'ambiguous': return unknown(ambiguousHint(block.action, understood))
    case 'unmapped': return unknown(unmappedHint(block, understood))
  }
}

/**
 * Whether all calls change one and the same file: only such calls can run as one, holding the file until it is written.
 */
async function changeOneFile(calls: readonly VerbCall[], registry: VerbRegistry): Promise<boolean> {
  const files = await Promise.all(calls.map(async ({ verb, arguments: args }) => {
    const name = (await registry.load(verb))?.onlyFile
    return name === undefined ? undefined : args[name]
  }))
  return typeof files[0] === 'string' && files.every((file) => file === files[0])
}

async function choiceOf(mapping: Choice): Promise<MappingChoice> {
  const loading = choices.get(mapping) ?? import('../../../2-mapping/src/index.js')
    .then((module) => new module.MappingChoice(mapping, parametersOf))
  choices.set(mapping, loading)
  return loading
}

/** Answers the mapping's questions about paths; a path that cannot be examined is neither file nor directory. */
function placeOf({ root, rootAliases }: PathRules, { gate, files, limits }: ForeignParts['context']): MappingPlace {
  return {
    absolute: (path) => (isAbsolute(path) ? path : resolve(root, path)),
    isRoot: (path) => [root, ...rootAliases].some((alias) => resolve(root, path) === resolve(alias)),
    isDirectory(path) {
      const approved = approveIfAllowed(gate, resolve(root, path), 'list')
      return approved !== undefined && files.stat(approved)?.kind === 'directory'
    },
    isUnfinished(path) {
      const approved = approveIfAllowed(gate, resolve(root, path), 'read')
      if (approved === undefined) return false
      return ifPossible(() => {
        const bytes = files.stat(approved)?.kind === 'file' ? files.peekBytes(approved, limits.maxFileBytes) : undefined
        return bytes !== undefined && bytes.length > 0 && bytes.at(-1) !== 0x0a
      }, false)
    },
  }
}
