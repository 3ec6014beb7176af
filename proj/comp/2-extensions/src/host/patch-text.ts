import { isDeepStrictEqual } from 'node:util'
import type { ReadFormat, ParsedBlock } from '../../../0-contracts/src/index.js'
import { EXTENSION_ERRORS, type Patch } from '../kit/index.js'
import { RpcError } from '../../../2-wire/src/index.js'
import { parse } from '../../../1-reading/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { rewriteBlock, type BlockChange } from './rewrite-block.js'

/** How the text is read. */
export interface ReadOptions {
  editFormats?: readonly ReadFormat[] | undefined
  startsInThink?: boolean | undefined
}

/** A text, and what is read in it. */
export interface ReadText {
  text: string
  blocks: readonly ParsedBlock[]
  /** How many blocks cannot be read. */
  errors: number
}

export function readText(text: string, options: ReadOptions): ReadText {
  const { blocks, errors } = parse(text, options)
  return { text, blocks, errors: errors.length }
}

/** `BLOCK`, `BLOCK[2]`, `BLOCK.PARAMETER`, `BLOCK[2].PARAMETER`. */
const PATH = /^(?<id>[^.[\]]+)(?:\[(?<place>[1-9]\d*)\])?(?:\.(?<parameter>.+))?$/s

/**
 * The text with one parameter of one block changed, or the block taken out. What else is in it stays, byte for byte.
 *
 * @throws RpcError `invalidPath`, `pathNotFound`, `invalidMessage`
 */
export function patchText({ text, blocks, errors }: ReadText, patch: Patch, options: ReadOptions): ReadText {
  const { block, change } = readPatch(blocks, patch)
  const changed = rewriteBlock(text, blocks, block, change)
  // Read again: where a block begins and ends is the scanner's to say,
  // and what was written has to mean what was asked for.
  const after = changed === undefined ? undefined : readText(changed, options)
  const wanted = blocks.flatMap(one => (one === block ? expectedOf(one, change) : [one]))
  const holds = after !== undefined && after.errors === errors && after.blocks.length === wanted.length
    && after.blocks.every((one, i) => isSame(one, wanted[i]))
  if (holds) return after
  throw new RpcError(
    EXTENSION_ERRORS.invalidMessage, `Block ${block.id} cannot be changed in its place: use editor/setMessage`,
  )
}

function readPatch(blocks: readonly ParsedBlock[], patch: Patch): { block: ParsedBlock; change: BlockChange } {
  const { id, place = '1', parameter } = PATH.exec(patch.path)?.groups ?? {}
  if (id === undefined) throw new RpcError(EXTENSION_ERRORS.invalidPath, 'Write BLOCK.PARAMETER, or BLOCK to remove it')
  const block = blocks.filter(one => one.id === id)[Number(place) - 1]
  if (!block) throw notFound(`There is no block ${patch.path.slice(0, 100)}`, id, blocks.map(one => one.id))
  const hasValue = patch.value !== undefined
  if (hasValue === (patch.remove === true)) {
    throw new RpcError(EXTENSION_ERRORS.invalidPath, 'Give either value, or remove: true')
  }
  if (parameter === undefined) {
    if (!hasValue) return { block, change: { kind: 'remove-block' } }
    throw new RpcError(EXTENSION_ERRORS.invalidPath, `${patch.path} is a block: its parameters have values`)
  }
  if (hasValue) return { block, change: { kind: 'set', parameter, value: patch.value } }
  if (Object.hasOwn(block.params, parameter)) return { block, change: { kind: 'remove', parameter } }
  throw notFound(`Block ${id} has no parameter ${parameter.slice(0, 100)}`, parameter, Object.keys(block.params))
}

function notFound(message: string, name: string, names: readonly string[]): RpcError {
  const meant = nearest(name, names)
  return new RpcError(
    EXTENSION_ERRORS.pathNotFound, `${message}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  )
}

/** What is to be read there afterwards. */
function expectedOf(block: ParsedBlock, change: BlockChange): ParsedBlock[] {
  if (change.kind === 'remove-block') return []
  const params = { ...block.params }
  if (change.kind === 'remove') delete params[change.parameter]
  else setOwn(params, change.parameter, isSham(block) ? shamValue(change.value) : change.value)
  const action = isSham(block) ? String(params['action'] ?? '') : block.action
  return [{ ...block, action, params }]
}

/** `__proto__` too is a name like any other. */
function setOwn(params: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(params, name, { value, enumerable: true, configurable: true, writable: true })
}

function isSham({ format }: ParsedBlock): boolean {
  return format === 'sham' || format === 'nesl'
}

function shamValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Lines move, and so do the ids that count blocks. */
function isSame(one: ParsedBlock, other: ParsedBlock | undefined): boolean {
  return other !== undefined && one.format === other.format && one.action === other.action
    && isDeepStrictEqual({ ...one.params }, { ...other.params })
}
