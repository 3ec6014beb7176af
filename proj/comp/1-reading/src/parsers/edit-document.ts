import { unlessThrown } from '../../../0-contracts/src/index.js'
import {
  EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException, type Event, type ScalarEvent,
} from 'js-yaml'
import type { Mends } from './mends.js'
import { MAX_DEPTH } from './strict-json.js'

interface Node {
  event: Event
  children: readonly Node[]
}

/** A replacement in a text: offsets in UTF-16 units, `to` exclusive. */
interface Edit {
  from: number
  to: number
  text: string
}

/** Which call of a document to edit. */
export interface CallInDocument {
  /** Index in a list; `undefined` for a single call. */
  at: number | undefined
  /** The key whose value names the action. */
  actionKey: 'verb' | 'name'
  /** The arguments as they were read. */
  params: Readonly<Record<string, unknown>>
}

/**
 * A YAML or JSON call with some names and values replaced and every other character kept; `undefined` where one of them
 * cannot be replaced in place.
 */
export function editDocument(text: string, call: CallInDocument, mends: Mends): string | undefined {
  const root = treeOf(text)?.children[0]
  const mapping = call.at === undefined ? root : root?.children[call.at]
  if (!mapping) return undefined
  const edits: (Edit | undefined)[] = []
  if (mends.action !== undefined) {
    const value = pairOf(text, mapping, call.actionKey)?.value
    edits.push(value && valueEdit(text, value, mends.action, ''))
  }
  const args = pairOf(text, mapping, 'arguments')?.value
  if (mends.renames.size + mends.values.size > 0) {
    if (args?.event.type === EVENT_ID.SCALAR) edits.push(editInText(text, args.event, call.params, mends))
    else edits.push(...(args ? argumentEdits(text, args, call.params, mends) : [undefined]))
  }
  return applied(text, edits)
}

/** Edits arguments that are JSON in a string, if the string is written as `JSON.stringify` would write it. */
function editInText(
  text: string, event: ScalarEvent, params: CallInDocument['params'], mends: Mends,
): Edit | undefined {
  const inner = getScalarValue(text, event)
  const mapping = treeOf(inner)?.children[0]
  const edited = mapping && applied(inner, argumentEdits(inner, mapping, params, mends))
  const { from, to } = placeOf(event)
  if (edited === undefined || text.slice(from, to) !== JSON.stringify(inner)) return undefined
  return { from, to, text: JSON.stringify(edited) }
}

function argumentEdits(
  text: string, mapping: Node, params: CallInDocument['params'], { renames, values }: Mends,
): (Edit | undefined)[] {
  return [
    ...[...renames].map(([name, meant]) => {
      const key = pairOf(text, mapping, name)?.key
      return key && valueEdit(text, key, meant, '')
    }),
    ...[...values].map(([name, meant]) => {
      const value = pairOf(text, mapping, name)?.value
      return value && valueEdit(text, value, meant, params[name])
    }),
  ]
}

/** @param was the value that is replaced, `''` for a name: a string without quotes stays without */
function valueEdit(text: string, { event }: Node, meant: unknown, was: unknown): Edit | undefined {
  if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) return undefined
  if (event.style > SCALAR_STYLE.DOUBLE_QUOTED) return undefined
  const { from, to } = placeOf(event)
  const written = text.slice(from, to)
  if (/[\r\n]/.test(written)) return undefined
  if (typeof meant !== 'string') return { from, to, text: JSON.stringify(meant) }
  // The text of a number may not be the string that is meant: `1e3` for `1000`.
  if (typeof was !== 'string' && written !== meant) return undefined
  const isPlain = typeof was === 'string' && event.style === SCALAR_STYLE.PLAIN && /^[\w/.][\w/.-]*$/.test(meant)
  const isSingle = event.style === SCALAR_STYLE.SINGLE_QUOTED && /^[^'\p{C}]*$/u.test(meant)
  return { from, to, text: isPlain ? meant : isSingle ? `'${meant}'` : JSON.stringify(meant) }
}

/** The range of a scalar, with its quotes. */
function placeOf({ valueStart, valueEnd, style }: ScalarEvent): { from: number; to: number } {
  const quote = style === SCALAR_STYLE.PLAIN ? 0 : 1
  return { from: valueStart - quote, to: valueEnd + quote }
}

function applied(text: string, edits: readonly (Edit | undefined)[]): string | undefined {
  let edited = text
  // From the last to the first, so that earlier offsets stay valid.
  for (const edit of [...edits].sort((a, b) => (b?.from ?? 0) - (a?.from ?? 0))) {
    if (!edit) return undefined
    edited = edited.slice(0, edit.from) + edit.text + edited.slice(edit.to)
  }
  return edited
}

function pairOf(text: string, { event, children }: Node, name: string): { key: Node; value: Node } | undefined {
  if (event.type !== EVENT_ID.MAPPING) return undefined
  for (let at = 0; at + 1 < children.length; at += 2) {
    const [key, value] = [children[at]!, children[at + 1]!]
    if (key.event.type === EVENT_ID.SCALAR && getScalarValue(text, key.event) === name) return { key, value }
  }
  return undefined
}

/** The tree of the first document; `undefined` where YAML rejects what JSON allows, mainly tabs before keys. */
function treeOf(text: string): Node | undefined {
  return unlessThrown(
    YAMLException, () => nodeOf(parseEvents(text, { maxDepth: MAX_DEPTH })[Symbol.iterator]()), undefined,
  )
}

/** Reads a node and all below it; `undefined` at the end of the node around it. */
function nodeOf(events: Iterator<Event>): Node | undefined {
  const next = events.next()
  if (next.done === true || next.value.type === EVENT_ID.POP) return undefined
  const children: Node[] = []
  const event = next.value
  if (event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS) return { event, children }
  for (let child = nodeOf(events); child; child = nodeOf(events)) children.push(child)
  return { event, children }
}
