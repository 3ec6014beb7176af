import type { ParsedBlock } from '../../../0-contracts/src/index.js'
import { applyFix, fixOf } from '../../../1-reading/src/index.js'
import type { BlockChange, CallChange } from './block-change.js'
import { rewrittenCalls, withoutCall } from './rewrite-call.js'
import { rewrittenEnvelopes } from './rewrite-envelope.js'
import { rewrittenSham } from './rewrite-sham.js'

/** So many places are tried: the text is read anew for each. */
const MOST_PLACES = 12

/** Possible texts with a block rewritten in place, smallest changes first; reading them shows which one is right. */
export function* rewrites(text: string, block: ParsedBlock, change: BlockChange): Generator<string> {
  const { start, end } = placeOf(text, block)
  const source = text.slice(start, end)
  if (change.kind !== 'remove-block' && !isSham(block)) yield* inItsLine(text, block, change)
  for (const written of rewritten(source, block, change)) yield text.slice(0, start) + written + text.slice(end)
}

/** Whether a block has only string values, with the action among the parameters. */
export function isSham({ format }: ParsedBlock): boolean {
  return format === 'sham' || format === 'nesl'
}

/** Changes a value that is plainly on a line of its own. */
function* inItsLine(text: string, block: ParsedBlock, change: CallChange): Generator<string> {
  if (change.kind === 'remove') return
  const fix = fixOf(block, change.kind === 'rename'
    ? { action: change.action, renames: new Map(), values: new Map() }
    : { renames: new Map(), values: new Map([[change.parameter, change.value]]) })
  if (fix) yield applyFix(text, fix)
}

/** Range from the first character of its first line to its final line break, inclusive. */
function placeOf(text: string, { startLine, endLine }: ParsedBlock): { start: number; end: number } {
  let start = 0
  for (let line = 1; line < startLine; line++) start = text.indexOf('\n', start) + 1
  let end = start
  for (let line = startLine; line <= endLine; line++) {
    const at = text.indexOf('\n', end)
    end = at === -1 ? text.length : at + 1
  }
  return { start, end }
}

function rewritten(source: string, block: ParsedBlock, change: BlockChange): Iterable<string> {
  const isCall = block.format === 'tool_call'
  if (change.kind === 'remove-block') {
    return !isCall ? [''] : block.dialect === undefined ? withoutCall(source, block) : []
  }
  if (isCall) {
    return block.dialect === undefined ? rewrittenCalls(source, block, change) : replacedInSource(source, block, change)
  }
  if (isSham(block)) return change.kind === 'rename' ? [] : rewrittenSham(source, block, change)
  return block.format === 'envelope' ? rewrittenEnvelopes(source, change) : []
}

/**
 * A call in a wire format of models with its name, or a text that it says, replaced where that stands as it is or as
 * JSON has it.
 */
function* replacedInSource(
  source: string, { action, params }: ParsedBlock, change: CallChange,
): Generator<string> {
  if (change.kind === 'remove') return
  const [old, wanted] = change.kind === 'rename' ? [action, change.action]
    : [params[change.parameter], change.value]
  if (typeof old !== 'string' || typeof wanted !== 'string' || old === '') return
  const forms = [[JSON.stringify(old), JSON.stringify(wanted)], [old, wanted]] as const
  let tried = 0
  for (const [from, to] of forms) {
    for (let at = source.indexOf(from); at !== -1 && tried < MOST_PLACES; at = source.indexOf(from, at + 1)) {
      tried++
      yield source.slice(0, at) + to + source.slice(at + from.length)
    }
  }
}
