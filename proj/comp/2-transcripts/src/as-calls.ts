import { isDeepStrictEqual } from 'node:util'
import { isRecord, type ParsedBlock } from '../../0-contracts/src/index.js'
import { parse } from '../../1-reading/src/index.js'
import { validateCall, type PathRules, type VerbRegistry } from '../../1-registry/src/index.js'
import type { AssistantTurn, RecordedCall, Transcript, Turn } from './transcript-model.js'

/** Decides whether a block and a call are equivalent. */
export interface CallRules {
  registry: VerbRegistry
  rules: PathRules
}

/**
 * The transcript with the blocks in its texts converted to calls beside them, where a call is exactly equivalent; a
 * turn with a block that cannot be converted stays as it is.
 */
export async function withCalls(transcript: Transcript, callRules: CallRules): Promise<Transcript> {
  const turns: Turn[] = []
  for (const turn of transcript.turns) {
    turns.push(turn.role === 'assistant' ? await turnWithCalls(turn, transcript, callRules) : turn)
  }
  return { ...transcript, turns }
}

async function turnWithCalls(
  turn: AssistantTurn, { settings }: Transcript, callRules: CallRules,
): Promise<AssistantTurn> {
  const { editFormats = [] } = turn.settings ?? settings ?? {}
  const options = { editFormats }
  const { blocks, errors } = parse(turn.text, options)
  if (blocks.length === 0 || errors.length > 0) return turn
  const calls: RecordedCall[] = []
  for (const block of blocks) {
    const call = await callOf(block, callRules)
    if (!call) return turn
    calls.push(call)
  }
  const text = withoutBlocks(turn.text, blocks)
  const left = parse(text, options)
  if (left.totalBlocks > 0 || left.errors.length > 0) return turn
  // A rewritten turn is identified by its number, so it must remain a turn when read again.
  if (turn.rewritten && parse(`${text}\n\n${PROBE}`, options).totalBlocks === 0) return turn
  return { ...turn, text, calls: [...calls, ...turn.calls] }
}

/** A call that is live wherever no fence or section is open. */
const PROBE = '<tool_call>{"name": "x"}</tool_call>'

async function callOf(
  { id, action, params, format, textValues }: ParsedBlock, { registry, rules }: CallRules,
): Promise<RecordedCall | undefined> {
  const verb = action === '' ? undefined : await registry.load(action)
  if (!verb) return undefined
  const isSham = format === 'sham' || format === 'nesl'
  const named = /^b\d+$/.test(id) ? {} : { id }
  if (!isSham && !textValues) return { ...named, name: action, arguments: params }
  const valid = validateCall(verb, format, params, rules, textValues)
  // Where a block gets a warning, a call would be an error.
  if (!valid.ok || valid.warning !== undefined || !isRecord(valid.args)) return undefined
  const { args } = valid
  const typed = Object.fromEntries(Object.entries(params).filter(([name]) => name in args).map(([name, written]) => (
    [name, typeof args[name] === 'string' ? written : args[name]]
  )))
  const same = validateCall(verb, 'tool_call', typed, rules)
  return same.ok && isDeepStrictEqual(same.args, args) ? { ...named, name: action, arguments: typed } : undefined
}

/** The text without the lines of the blocks, fences that held nothing else, and resulting runs of empty lines. */
function withoutBlocks(text: string, blocks: readonly ParsedBlock[]): string {
  const lines = text.split('\n')
  const gone = new Set(blocks.flatMap(({ startLine, endLine }) => (
    Array.from({ length: endLine - startLine + 1 }, (_, index) => startLine - 1 + index)
  )))
  for (const { startLine, endLine } of blocks) {
    const [above, below] = [near(lines, gone, startLine - 1, -1), near(lines, gone, endLine - 1, 1)]
    if (isFence(lines[above]) && isFence(lines[below])) {
      gone.add(above)
      gone.add(below)
    }
  }
  return lines.filter((_, index) => !gone.has(index)).join('\n').replace(/\n{3,}/g, '\n\n').trim()
}

/** The next remaining, non-empty line. */
function near(lines: readonly string[], gone: ReadonlySet<number>, from: number, step: 1 | -1): number {
  let at = from
  while (at >= 0 && at < lines.length && (gone.has(at) || lines[at]?.trim() === '')) at += step
  return at
}

function isFence(line: string | undefined): boolean {
  return line !== undefined && /^ {0,3}(?:`{3,}|~{3,})/.test(line)
}
