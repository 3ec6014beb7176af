import { isDeepStrictEqual } from 'node:util'
import { EDIT_FORMATS, type ReadFormat, type ParsedBlock } from '../../../0-contracts/src/index.js'
import { EXTENSION_ERRORS, type Patch } from '../kit/index.js'
import { RpcError } from '../../../2-wire/src/index.js'
import { parse } from '../../../1-reading/src/index.js'
import { nearest } from '../../../0-text/src/index.js'
import { changeArgument, type BlockChange } from './block-change.js'
import { isSham, rewrites } from './rewrite-block.js'

/** Options for reading the text. */
export interface ReadOptions {
  /** Formats to read in it, the same as in the run. */
  editFormats?: readonly ReadFormat[] | undefined
  startsInThink?: boolean | undefined
}

/** A text, and the blocks read in it. */
export interface ReadText {
  text: string
  blocks: readonly ParsedBlock[]
  /** Number of unreadable blocks. */
  errors: number
}

export function readText(text: string, options: ReadOptions): ReadText {
  const { blocks, errors } = parse(text, options)
  return { text, blocks, errors: errors.length }
}

/** `BLOCK`, `BLOCK[2]`, `BLOCK.PARAMETER`, `BLOCK[2].PARAMETER`. */
const PATH = /^(?<id>[^.[\]]+)(?:\[(?<place>[1-9]\d*)\])?(?:\.(?<parameter>.+))?$/s

/**
 * The text with one parameter or the verb of one block changed, or the block removed. Everything else stays byte for
 * byte.
 *
 * @throws RpcError `invalidPath`, `pathNotFound`, `invalidMessage`
 */
export function patchText({ text, blocks, errors }: ReadText, patch: Patch, options: ReadOptions): ReadText {
  const { block, change } = readPatch(blocks, patch)
  const wanted = blocks.flatMap(part => (part === block ? expectedOf(part, change) : [part]))
  for (const changed of rewrites(text, block, change)) {
    // Read again: the scanner decides where blocks begin and end, and the result must mean what was requested.
    const after = readText(changed, options)
    const holds = after.errors === errors && after.blocks.length === wanted.length
      && after.blocks.every((candidate, i) => isSame(candidate, wanted[i]))
    if (holds) return after
  }
  const why = change.kind === 'rename' && EDIT_FORMATS.some(format => format === block.format)
    ? `The verb of block ${block.id} follows from its format, ${block.format}`
    : `Block ${block.id} cannot be changed in its place`
  throw new RpcError(EXTENSION_ERRORS.invalidMessage, `${why}: use editor/setMessage`)
}

function readPatch(blocks: readonly ParsedBlock[], patch: Patch): { block: ParsedBlock; change: BlockChange } {
  const { id, place = '1', parameter } = readPath(patch.path, blocks)
  if (id === undefined) throw new RpcError(EXTENSION_ERRORS.invalidPath, 'Write BLOCK.PARAMETER, or BLOCK to remove it')
  const block = blocks.filter(candidate => candidate.id === id)[Number(place) - 1]
  if (!block) throw notFound(`There is no block ${patch.path.slice(0, 100)}`, id, blocks.map(candidate => candidate.id))
  const hasValue = patch.value !== undefined
  if (hasValue === (patch.remove === true)) {
    throw new RpcError(EXTENSION_ERRORS.invalidPath, 'Give either value, or remove: true')
  }
  if (parameter === undefined) {
    if (!hasValue) return { block, change: { kind: 'remove-block' } }
    throw new RpcError(EXTENSION_ERRORS.invalidPath, `${patch.path} is a block: its parameters have values`)
  }
  if (parameter === 'action') return { block, change: renaming(block, patch) }
  if (hasValue) return { block, change: { kind: 'set', parameter, value: patch.value } }
  if (Object.hasOwn(block.params, parameter)) return { block, change: { kind: 'remove', parameter } }
  throw notFound(`Block ${id} has no parameter ${parameter.slice(0, 100)}`, parameter, Object.keys(block.params))
}

/** Block ids of models may contain dots and brackets: the longest id that the path begins with counts. */
function readPath(path: string, blocks: readonly ParsedBlock[]): { id?: string; place?: string; parameter?: string } {
  const plain = PATH.exec(path)?.groups ?? {}
  if (blocks.some(({ id }) => id === plain['id'])) return plain
  const ids = blocks.map(({ id }) => id).filter(id => path.startsWith(id)).sort((a, b) => b.length - a.length)
  for (const id of ids) {
    // `-` stands for the id, which the pattern could not match.
    const rest = PATH.exec(`-${path.slice(id.length)}`)?.groups
    if (rest?.['id'] === '-') return { ...rest, id }
  }
  return plain
}

/** `BLOCK.action` is the verb in every format, whatever that calls it. */
function renaming(block: ParsedBlock, { path, value }: Patch): BlockChange {
  if (typeof value !== 'string' || value === '') {
    throw new RpcError(EXTENSION_ERRORS.invalidPath, `${path} is the name of a verb: give it as a text`)
  }
  return isSham(block) ? { kind: 'set', parameter: 'action', value } : { kind: 'rename', action: value }
}

function notFound(message: string, name: string, names: readonly string[]): RpcError {
  const meant = nearest(name, names)
  return new RpcError(
    EXTENSION_ERRORS.pathNotFound, `${message}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  )
}

/** The blocks that must be read after the change. */
function expectedOf(block: ParsedBlock, change: BlockChange): ParsedBlock[] {
  if (change.kind === 'remove-block') return []
  if (change.kind === 'rename') return [{ ...block, action: change.action }]
  const params = { ...block.params }
  // SHAM has texts alone.
  const asJson = change.kind === 'set' && isSham(block) && typeof change.value !== 'string'
  changeArgument(params, asJson ? { ...change, value: JSON.stringify(change.value) } : change)
  return [{ ...block, action: isSham(block) ? String(params['action'] ?? '') : block.action, params }]
}

/** Compares blocks, ignoring line numbers and positional ids, which may shift. */
function isSame(parsedBlock: ParsedBlock, other: ParsedBlock | undefined): boolean {
  return other !== undefined && parsedBlock.format === other.format
    && parsedBlock.dialect === other.dialect && parsedBlock.action === other.action
    && isDeepStrictEqual({ ...parsedBlock.params }, { ...other.params })
}
