import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { countLine } from '../block-frames.js'
import { changedFiles } from '../feedback-hooks.js'
import { advice } from '../feedback.js'
import { plural } from '../quantities.js'
import type { ReportStyle } from '../report-style.js'
import { rewriteFeedback } from '../rewrites.js'
import { rolledBackFeedback } from '../rolled-back.js'
import { oneLine } from '../safe-text.js'
import { skippedFeedback } from '../skipped-lines.js'
import type { Content } from './contents.js'
import { DEFAULT_REPLY_TOKENS } from './limits.js'
import { withNextOffset } from './next-offset.js'
import { changesNotShown, doneWord, itemsOf, type ItemKind, type ItemOptions, type ReplyItem } from './reply-items.js'
import { frameLines, joined, NO_LINES, type Lines } from './reply-lines.js'
import type { SeenContents } from './seen-contents.js'
import { leastOf, share, sizeOf } from './share-room.js'

/** Options of `renderReply` and of `result.reply`. */
export interface ReplyOptions extends Pick<ReportStyle, 'fences'>, ItemOptions {
  /** Bound of the whole text. Default: `DEFAULT_REPLY_TOKENS`; at least `LEAST_REPLY_TOKENS`. */
  tokens?: number | undefined
  /** Contents already shown to the model; those that this text shows completely are added. */
  seen?: SeenContents | undefined
}

/**
 * The reply to the model: for each block in order what it needs next. Each item (a block, a failed hook, a file that a
 * hook changed) has a frame, what hermes says of it, and a body, its contents. Contents and output are marked line by
 * line, so that they cannot be mistaken for the reply's own text, and nothing in them is live.
 */
export function renderReply(result: ExecutionResult, options: ReplyOptions = {}): string {
  const { tokens = DEFAULT_REPLY_TOKENS, fences, seen } = options
  const { fatalError } = result
  const longestReason = Math.min(400, Math.floor(tokens / 4))
  const head = paragraphs([
    countLine(result, fences),
    ...(fatalError === undefined ? [] : [`The run was stopped: ${oneLine(fatalError, longestReason)}`]),
    ...rolledBackFeedback(result),
    ...rewriteFeedback(result),
  ])
  const end = paragraphs(advice(result, 'Send again only the blocks that failed, mended as the hints say.'))
  // Blank lines besides those that frames count.
  const room = tokens - head.tokens - end.tokens - 4
  const notes = notesOf(result, Math.floor(room / 4))
  const items = itemsOf(result, options)
  const frames = framesOf(items, room - notes.tokens)
  keepFillable(items, frames, room - notes.tokens)
  const word = doneWord(result)
  const bodies = bodiesOf(word, items, frames, room - notes.tokens - framesRoom(frames), seen)
  const parts = [head, ...blocks(word, items, frames, bodies), notes, end]
  const filled = parts.filter((each) => each.lines.length > 0)
  return `${filled.map((each) => each.lines.join('\n')).join('\n\n')}\n`
}

function paragraphs(texts: readonly string[]): Lines {
  return frameLines(texts.flatMap((text, index) => [...(index === 0 ? [] : ['']), ...text.split('\n')]))
}

function sum(all: readonly number[]): number {
  return all.reduce((total, each) => total + each, 0)
}

/** Tokens of the frames, each with a blank line before it. */
function framesRoom(frames: ReadonlyMap<ReplyItem, Lines>): number {
  return sum([...frames.values()].map(({ tokens }) => tokens)) + frames.size
}

/** Notes behind the blocks, as many as fit: files that hooks changed, then skipped blocks. */
function notesOf(result: ExecutionResult, room: number): Lines {
  const all = [...changedFiles(changesNotShown(result)), ...skippedFeedback(result.skipped)]
  const notes = paragraphs(all)
  if (notes.tokens <= room) return notes
  const lastNote = all.findLastIndex((_, index) => paragraphs(all.slice(0, index + 1)).tokens <= room - ROOM_OF_REST)
  return joined([
    paragraphs(all.slice(0, lastNote + 1)), frameLines([`${plural(all.length - lastNote - 1, 'more note')} left out.`]),
  ])
}

/** Tokens reserved for the line that counts the notes left out. */
const ROOM_OF_REST = 24
/** Tokens reserved for a line with the names of blocks without room. */
const ROOM_OF_NAMES = 80
const KINDS: readonly ItemKind[] = ['failure', 'command', 'change', 'read', 'done']

/** Chooses the form of each item: kinds that come first in `KINDS` get room first, short forms before longer ones. */
function framesOf(items: readonly ReplyItem[], room: number): Map<ReplyItem, Lines> {
  const frames = new Map<ReplyItem, Lines>()
  const needs = items.map((item) => (item.forms[0] ?? NO_LINES).tokens + 1 + leastOfAll(item, room))
  let left = sum(needs) <= room ? room : room - namesReserve(items)
  for (const kind of KINDS) {
    const ofKind = items.filter((item) => item.kind === kind)
    for (const item of ofKind) {
      const shortest = item.forms.at(-1) ?? NO_LINES
      // Includes a blank line. An item that does not fit leaves its room to others.
      if (shortest.tokens + 1 > left) continue
      left -= shortest.tokens + 1
      frames.set(item, shortest)
    }
    for (const item of ofKind) {
      const chosen = frames.get(item)
      if (!chosen) continue
      const longer = item.forms.find((form) => form.tokens - chosen.tokens <= left)
      if (!longer) continue
      left -= longer.tokens - chosen.tokens
      frames.set(item, longer)
    }
  }
  return frames
}

function namesReserve(items: readonly ReplyItem[]): number {
  return ROOM_OF_NAMES * KINDS.filter((kind) => items.some((item) => item.kind === kind)).length
}

function leastOfAll({ contents }: ReplyItem, room: number): number {
  return sum(contents.map((content) => leastOf(content, room)))
}

/** Drops the last blocks whose contents have no room at all; the reply then only names them (`linesOfNames`). */
function keepFillable(items: readonly ReplyItem[], frames: Map<ReplyItem, Lines>, room: number): void {
  let left = room - framesRoom(frames)
  const waiting = (['command', 'change', 'read'] as const).flatMap((kind) => items.filter((item) => (
    item.kind === kind && frames.has(item) && item.contents.length > 0
  )))
  const needs = waiting.map((item) => leastOfAll(item, room))
  let needed = sum(needs)
  if (needed <= left && frames.size === items.length) return
  left -= namesReserve(items)
  while (needed > left) {
    const item = waiting.pop()
    if (!item) return
    left += (frames.get(item)?.tokens ?? 0) + 1
    needed -= needs.pop() ?? 0
    frames.delete(item)
  }
}

/** Share of the room for output of commands, and of what failed, if files were read too. */
const SHARE_OF_COMMANDS = 0.6

function bodiesOf(
  word: string, items: readonly ReplyItem[], frames: ReadonlyMap<ReplyItem, Lines>, room: number,
  seen: SeenContents | undefined,
): Map<ReplyItem, Lines> {
  const shown = items.filter((item) => frames.has(item) && item.contents.length > 0)
  const reads = shown.filter(({ kind }) => kind === 'change' || kind === 'read' || kind === 'done')
  const printed = shown.filter((item) => !reads.includes(item))
  const free = room - KINDS.length - sum(linesOfNames(word, items, frames).map(({ tokens }) => tokens))
  const needed = reads.flatMap(({ contents }) => contents)
    .reduce((total, content) => (total > free ? total : total + sizeOf(content, free)), 0)
  const forCommands = Math.max(Math.floor(free * SHARE_OF_COMMANDS), free - needed)
  const first = fill(printed, forCommands, seen)
  return new Map([...first.bodies, ...fill(reads, free - first.tokens, seen).bodies])
}

function fill(
  items: readonly ReplyItem[], room: number, seen: SeenContents | undefined,
): { bodies: [ReplyItem, Lines][]; tokens: number } {
  const contents = items.map((item) => item.contents.map((content) => unlessSeen(content, seen)))
  const { parts, tokens } = share(contents.flat(), Math.max(0, room), { isMarked: true })
  let nextPart = 0
  const bodies = items.map((item, index): [ReplyItem, Lines] => {
    const bodyParts = (contents[index] ?? []).map((content) => {
      const part = parts[nextPart]
      nextPart += 1
      const { seenAs, lines } = content
      if (seen && seenAs !== undefined && part?.isCut === false && lines.length > 0) seen.add(seenAs, lines.join('\n'))
      return part ?? NO_LINES
    })
    return [item, joined(bodyParts)]
  })
  return { bodies, tokens }
}

function unlessSeen(content: Content, seen: SeenContents | undefined): Content {
  const { seenAs, lines, title } = content
  if (!seen || seenAs === undefined || lines.length === 0 || !seen.has(seenAs, lines.join('\n'))) return content
  return { ...content, lines: [], title: `${title === undefined ? '' : `${title}: `}unchanged since you read it` }
}

/** Most consecutive blocks without content to list one by one; of more, only names. */
const MOST_DONE = 6

/** Items in order, single lines without blank lines between; last the names of those without room. */
function blocks(
  word: string, items: readonly ReplyItem[], frames: ReadonlyMap<ReplyItem, Lines>,
  bodies: ReadonlyMap<ReplyItem, Lines>,
): Lines[] {
  const groups: { isPlain: boolean; items: ReplyItem[] }[] = []
  for (const item of items) {
    if (!frames.has(item)) continue
    const isPlain = item.kind === 'done' && frames.get(item)?.lines.length === 1 && !bodies.get(item)?.lines.length
    const last = groups.at(-1)
    if (isPlain && last?.isPlain) last.items.push(item)
    else groups.push({ isPlain, items: [item] })
  }
  const shown = groups.map((group) => {
    const done = frameLines([namesLine(word, group.items)])
    const lines = joined(group.items.flatMap((item) => {
      const body = bodies.get(item) ?? NO_LINES
      const frame = frames.get(item) ?? NO_LINES
      return [{ ...frame, lines: withNextOffset(frame.lines, body.lines) }, body]
    }))
    return group.isPlain && group.items.length > MOST_DONE && done.tokens < lines.tokens ? done : lines
  })
  return [...shown, ...linesOfNames(word, items, frames)]
}

/** What the reply says of the items of each kind that have no frame, before their names; `done` is their state. */
const WITHOUT_ROOM: Readonly<Record<ItemKind, (done: string) => string>> = {
  failure: () => 'FAILED too, without room to say how',
  command: (done) => `${done} too, without room for what they printed`,
  read: (done) => `${done} too, without room for what they gave`, done: (done) => `${done} too`,
  change: () => 'CHANGED by hooks after the blocks, read before you edit them again',
}

function linesOfNames(
  word: string, items: readonly ReplyItem[], frames: ReadonlyMap<ReplyItem, Lines>,
): Lines[] {
  return KINDS.flatMap((kind) => {
    const without = items.filter((item) => item.kind === kind && !frames.has(item))
    return without.length === 0 ? [] : [frameLines([namesLine(WITHOUT_ROOM[kind](word), without)])]
  })
}

/** Bounds a line of names to `ROOM_OF_NAMES`, whatever the names are. */
const MOST_NAMES_BYTES = 60

function namesLine(words: string, items: readonly ReplyItem[]): string {
  const names = oneLine(idRanges(items.map(({ name }) => name)), MOST_NAMES_BYTES)
  const what = items.every(({ kind }) => kind === 'change') ? 'file' : 'block'
  return `${words}: ${plural(items.length, what)} (${names})`
}

/** Names on one line, consecutive positional ids as a range: `b3–b7, write`. */
function idRanges(names: readonly string[]): string {
  const ranges: { first: string; last: string; number: number }[] = []
  for (const name of names) {
    const number = Number(/^b(\d{1,9})$/.exec(name)?.[1] ?? Number.NaN)
    const last = ranges.at(-1)
    if (last && number === last.number + 1) Object.assign(last, { last: name, number })
    else ranges.push({ first: name, last: name, number })
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}–${last}`)).join(', ')
}
