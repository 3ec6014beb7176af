import { clip } from '../../../../0-text/src/index.js'
import { HermesError } from '../../../../0-contracts/src/index.js'
import { askOnce, workingContext } from './ask-once.js'
import { judgeFailure } from './model-failure.js'
import type { LoopParts } from '../loop-parts.js'
import type { Message } from '../messages.js'
import { GO_ON_FROM, isOfUser, isResultsText, isSummary, SUMMARY_HEAD } from '../results-head.js'
import { tokensOf } from './token-meter.js'

/** Room kept for the answer: this share of the window, or `maxTokens`. */
const FOR_ANSWER = 1 / 8
const LARGEST_ANSWER = 16_384
/**
 * Target when shortening, as a share of the available room: well below it, so that not every turn has to shorten again.
 */
const TARGET = 0.6
/** Shortest tool output that is replaced, in UTF-16 units: shorter ones would save little. */
const LEAST_OUTPUT = 400
const CUT = '\n[Cut here: it is too long for the room there is. Ask for less at once.]'
const PRUNED = '[Left out to save room:'
/** Fewest messages at the end that a summary leaves as they are. */
const KEPT = 6
const ASK_SUMMARY = 'Summarise the conversation above, for yourself to go on from: what the user wants, what was '
  + 'decided, what was done and found (with paths, names and figures), what is still to do. Text only, no calls and no '
  + 'blocks.'

/** Length that a summary may have in any case, in UTF-16 units. */
const LEAST_SUMMARY = 2000

/** Default share of the window from which to shorten before the next request. */
const THRESHOLD = 0.8
/** A conversation of fewer tokens fits any usable model, so the server need not be asked for its window. */
const ASKED_FROM = 8192

/**
 * Why to shorten: the next request would fill too much of the window; the server refused it as too long; the user asked
 * for it.
 */
export type FitReason = 'next' | 'refused' | 'asked'

/**
 * Shortens the conversation to fit the model: replaces the oldest tool outputs, then turns older messages into a
 * summary, and if that is not enough cuts the outputs of the last answer. The user's first message and the last
 * messages stay.
 *
 * @returns whether anything was changed
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
  // At the user's wish summarise everything; otherwise replacing old outputs may be enough.
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

/** Tokens available for the system prompt, the tools and the conversation. */
function roomFor(
  { window, model, options: { maxTokens, compression } }: LoopParts, now: number, why: FitReason,
): number {
  const all = window.of(model)
  const free = all - (maxTokens ?? Math.min(LARGEST_ANSWER, all * FOR_ANSWER))
  const most = Math.min(free, all * (compression?.threshold ?? THRESHOLD))
  // Our estimate said it fits, so the server counts differently, or accepts less than it claims.
  return why === 'refused' && now <= most ? now / 2 : most
}

/**
 * Replaces the outputs of tools, oldest first, until the messages are short enough; outputs after the last answer stay.
 */
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
    const what = `${nameOf(kept.slice(0, at), message)}, ${message.content.length} characters`
    const shorter = { ...message, content: `${PRUNED} ${what}. Ask again for what you still need.]` }
    tokens -= size([message]) - size([shorter])
    kept[at] = shorter
    pruned++
  }
  return { messages: kept, pruned }
}

function isOutput(message: Message): message is Exclude<Message, { role: 'assistant' }> {
  return message.role === 'tool' || (message.role === 'user' && isResultsText(message.content))
}

/** Name of the tool that a message answers. @param before the messages before it: ids may repeat */
function nameOf(before: readonly Message[], message: Message): string {
  if (message.role !== 'tool') return 'results of blocks'
  for (const other of before.toReversed()) {
    if (other.role !== 'assistant') continue
    const call = other.tool_calls?.find(({ id }) => id === message.tool_call_id)
    if (call) return `result of ${call.function.name}`
  }
  return 'result'
}

/** Cuts the longest outputs to one length, the greatest that fits. @returns the same list where it fits already */
function cutOutputs(
  messages: Message[], room: number, size: (messages: readonly Message[]) => number,
): Message[] {
  let shorter = messages
  const longest = Math.max(0, ...messages.filter(isOutput).map(({ content }) => content.length))
  for (let most = longest / 2; size(shorter) > room && most >= LEAST_OUTPUT; most /= 2) {
    const length = Math.floor(most)
    shorter = shorter.map((message) => {
      // Of a text that was cut before, too: its mark lies behind `length`.
      const isLonger = isOutput(message) && message.content.length > length + CUT.length
      return isLonger ? { ...message, content: `${message.content.slice(0, length)}${CUT}` } : message
    })
  }
  return shorter
}

/** @returns the same list, and no summary, where nothing can be left out */
async function summarise(
  parts: LoopParts, messages: Message[], room: number, why: FitReason,
): Promise<{ messages: Message[]; summary?: string }> {
  const first = messages.findIndex(isOfUser)
  // At the user's wish, everything before the user's last message.
  const cut = why === 'asked' ? messages.findLastIndex(isOfUser) : cutBefore(messages, messages.length - KEPT)
  if (cut <= first + 1) return { messages }
  const older = messages.slice(first + 1, cut)
  // Summarising only a summary would lose detail and cost a request.
  if (older.every((message) => isSummary(message) || message.content === GO_ON_FROM)) return { messages }
  const summary = await askSummary(parts, older, room * TARGET, why)
  const follows = messages[cut]?.role === 'user' ? [] : [{ role: 'user' as const, content: GO_ON_FROM }]
  const message: Message = { role: 'assistant', content: `${SUMMARY_HEAD}\n\n${summary}` }
  return { messages: [...messages.slice(0, first + 1), message, ...follows, ...messages.slice(cut)], summary }
}

/** The nearest index at or before `at` that separates no call from its answer. */
function cutBefore(messages: readonly Message[], at: number): number {
  let cut = Math.max(0, at)
  while (cut > 0 && messages[cut]?.role !== 'assistant') cut--
  return cut
}

/**
 * Asks for the summary. If the model gives none, older messages are dropped without one so that the task can continue;
 * if the user asked for it, fails instead, since the user can ask again.
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
    // A summary longer than what it replaces would be pointless.
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

