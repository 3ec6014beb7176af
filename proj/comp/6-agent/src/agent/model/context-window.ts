import { clip } from '../../../../0-text/src/index.js'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { askOnce } from './ask-once.js'
import { judgeFailure } from './model-failure.js'
import type { LoopParts } from '../loop-parts.js'
import type { Message } from '../messages.js'
import { GO_ON_FROM, isOfUser, isResultsText, isSummary, SUMMARY_HEAD } from '../results-head.js'
import { tokensOf } from './token-meter.js'
import { workingContext } from '../working-context.js'

/** Kept free for the answer: this part of the window, or `maxTokens`. */
const FOR_ANSWER = 1 / 8
const LARGEST_ANSWER = 16_384
/**
 * When it no longer fits it is made as short as this part of what fits, so that it is not done again with each turn.
 */
const TARGET = 0.6
/** Shorter outputs stay: little would be saved. */
const LEAST_OUTPUT = 400
const CUT = '\n[Cut here: it is too long for the room there is. Ask for less at once.]'
const PRUNED = '[Left out to save room:'
/** Messages at the end that a summary leaves alone, at least. */
const KEPT = 6
const ASK_SUMMARY = 'Summarise the conversation above, for yourself to go on from: what the user wants, what was '
  + 'decided, what was done and found (with paths, names and figures), what is still to do. Text only, no calls and no '
  + 'blocks.'

/** A summary may be as long as this, whatever it stands for; in UTF-16 units. */
const LEAST_SUMMARY = 2000

/** What fills more of the window is made shorter before the next request. */
const THRESHOLD = 0.8
/** A conversation of fewer tokens fits wherever an agent works at all: the server need not be asked what it takes. */
const ASKED_FROM = 8192

/**
 * Why it is done: the next request would fill too much of the window; the server says that it is too long, whatever we
 * think; the user asks for it.
 */
export type FitReason = 'next' | 'refused' | 'asked'

/**
 * Makes the conversation short enough for the model: first the oldest outputs of tools go, then the older messages
 * become a summary, and where that is not enough the outputs of the last answer are cut. The user's first message and
 * the last ones stay.
 *
 * @returns whether anything was done
 */
export async function fitContext(parts: LoopParts, why: FitReason = 'next'): Promise<boolean> {
  const { conversation, meter, emit, offer, window, model, options: { compression: { enabled = true } = {} } } = parts
  if (why === 'next' && !enabled) return false
  const { tokens: inView } = await workingContext(parts)
  const around = tokensOf([{ role: 'system', content: offer.system }]) + offer.toolTokens + inView
  const size = (messages: readonly Message[]): number => meter.expected(tokensOf(messages) + around)
  const before = size(conversation.messages)
  if (why !== 'next' || before > ASKED_FROM) await window.learn(model)
  const room = roomFor(parts, before, why)
  if (why === 'next' && before <= room) return false
  // Asked for, the summary is made of all there is; else what is old goes first, and may be enough.
  const { messages, pruned } = why === 'asked' ? { messages: conversation.messages, pruned: 0 }
    : prune(conversation.messages, room * TARGET, size)
  const isShort = why !== 'asked' && size(messages) <= room
  const { messages: shorter, summary } = isShort ? { messages } : await summarise(parts, messages, room, why)
  const cut = why === 'asked' ? shorter : cutOutputs(shorter, room, size)
  if (pruned === 0 && cut === messages) return false
  conversation.add({ type: 'replace', reason: 'shortened', messages: cut })
  parts.repeats.forget()
  emit({
    type: 'context', pruned, summarized: summary !== undefined, ...(summary !== undefined && { summary }),
    tokens: size(cut),
  })
  return true
}

/** Tokens for the system prompt, the tools and the conversation. */
function roomFor(
  { window, model, options: { maxTokens, compression } }: LoopParts, now: number, why: FitReason,
): number {
  const all = window.of(model)
  const free = all - (maxTokens ?? Math.min(LARGEST_ANSWER, all * FOR_ANSWER))
  const most = Math.min(free, all * (compression?.threshold ?? THRESHOLD))
  // Where we thought that it fits, the server counts otherwise, or takes less than anybody said.
  return why === 'refused' && now <= most ? now / 2 : most
}

/** The oldest outputs first, until it is short enough; those after the last answer stay. */
function prune(
  messages: readonly Message[], target: number, size: (messages: readonly Message[]) => number,
): { messages: Message[]; pruned: number } {
  const kept = [...messages]
  const last = kept.findLastIndex(({ role }) => role === 'assistant')
  let pruned = 0
  let tokens = size(kept)
  for (let at = 0; at < last && tokens > target; at++) {
    const message = kept[at]
    if (!message || !isOutput(message)) continue
    if (message.content.length < LEAST_OUTPUT || message.content.startsWith(PRUNED)) continue
    const shorter = { ...message, content: leftOut(message, nameOf(kept.slice(0, at), message)) }
    tokens -= size([message]) - size([shorter])
    kept[at] = shorter
    pruned++
  }
  return { messages: kept, pruned }
}

function isOutput(message: Message): message is Exclude<Message, { role: 'assistant' }> {
  return message.role === 'tool' || (message.role === 'user' && isResultsText(message.content))
}

function leftOut({ content }: { content: string }, name: string): string {
  return `${PRUNED} ${name}, ${content.length} characters. Ask again for what you still need.]`
}

/** @param before what stands before it: ids come again */
function nameOf(before: readonly Message[], message: Message): string {
  if (message.role !== 'tool') return 'results of blocks'
  for (const other of before.toReversed()) {
    if (other.role !== 'assistant') continue
    const call = other.tool_calls?.find(({ id }) => id === message.tool_call_id)
    if (call) return `result of ${call.function.name}`
  }
  return 'result'
}

/** The longest outputs are cut to one length, as long as fits. @returns the same list where it does fit */
function cutOutputs(
  messages: Message[], room: number, size: (messages: readonly Message[]) => number,
): Message[] {
  let shorter = messages
  for (let most = longestOutput(messages) / 2; size(shorter) > room && most >= LEAST_OUTPUT; most /= 2) {
    const length = Math.floor(most)
    shorter = shorter.map((message) => {
      const isLonger = isOutput(message) && message.content.length > length + CUT.length
      return isLonger ? { ...message, content: cutTo(message.content, length) } : message
    })
  }
  return shorter
}

function longestOutput(messages: readonly Message[]): number {
  return Math.max(0, ...messages.filter(isOutput).map(({ content }) => content.length))
}

/** What was cut before is cut further. */
function cutTo(content: string, length: number): string {
  const whole = content.endsWith(CUT) ? content.slice(0, -CUT.length) : content
  return `${whole.slice(0, length)}${CUT}`
}

/** @returns the same list, and no summary, where nothing can be left out */
async function summarise(
  parts: LoopParts, messages: Message[], room: number, why: FitReason,
): Promise<{ messages: Message[]; summary?: string }> {
  const first = messages.findIndex(isOfUser)
  // Asked for, all before the user's last message.
  const cut = why === 'asked' ? messages.findLastIndex(isOfUser) : cutBefore(messages, messages.length - KEPT)
  if (cut <= first + 1) return { messages }
  const older = messages.slice(first + 1, cut)
  // A summary of a summary alone tells less, and costs a request.
  if (older.every((message) => isSummary(message) || message.content === GO_ON_FROM)) return { messages }
  const summary = await askSummary(parts, older, room * TARGET, why)
  const follows = messages[cut]?.role === 'user' ? [] : [{ role: 'user' as const, content: GO_ON_FROM }]
  const message: Message = { role: 'assistant', content: `${SUMMARY_HEAD}\n\n${summary}` }
  return { messages: [...messages.slice(0, first + 1), message, ...follows, ...messages.slice(cut)], summary }
}

/** A place where no call is parted from its answer. */
function cutBefore(messages: readonly Message[], at: number): number {
  let cut = Math.max(0, at)
  while (cut > 0 && messages[cut]?.role !== 'assistant') cut--
  return cut
}

/**
 * Where the model gives none, the older messages go without one, since the task can go on so; not where the user asks
 * for it, who can ask again.
 */
async function askSummary(
  parts: LoopParts, older: readonly Message[], target: number, why: FitReason,
): Promise<string> {
  const { signal, offer, emit, model, options: { compression } } = parts
  const most = Math.max(LEAST_SUMMARY, Math.floor(target * 3))
  const transcript = clip(older.map(asText).join('\n\n'), most)
  let problem: string
  try {
    const messages: Message[] = [{ role: 'user', content: `${transcript}\n\n${ASK_SUMMARY}` }]
    const countOnly: LoopParts['emit'] = (event) => event.type === 'usage' && emit(event)
    const without = {
      ...parts, model: compression?.summaryModel ?? model, emit: countOnly,
      offer: { ...offer, tools: [], toolTokens: 0 },
    }
    const { text } = await askOnce(without, messages, false, { onDelta: () => undefined })
    // What it stands for is no shorter than it.
    if (text.trim() !== '') return clip(text.trim(), Math.max(LEAST_SUMMARY, transcript.length))
    problem = 'the model gave no text'
  } catch (error) {
    if (signal.aborted) throw error
    problem = judgeFailure(error, parts.client.mask).reason
  }
  if (why === 'asked') throw new HermesError('MODEL_FAILED', `No summary could be made: ${problem}`, {
    hint: 'The conversation is as it was.',
  })
  return `(No summary could be made.) The last of it:\n\n${transcript.slice(-LEAST_SUMMARY)}`
}

function asText(message: Message): string {
  const calls = message.role === 'assistant' ? message.tool_calls ?? [] : []
  const called = calls.map(({ function: { name, arguments: args } }) => `${name}(${args})`).join('\n')
  return `${message.role.toUpperCase()}: ${message.content ?? ''}${called}`
}

