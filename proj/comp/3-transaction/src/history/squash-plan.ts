import { clip } from '../../../0-text/src/index.js'
import type { ChainCommit } from './commit-chain.js'
import type { SquashRequest } from './squash-options.js'

const HOUR_SECONDS = 3600
const SUBJECT_CHARS = 72

/**
 * Whether a request selects this commit.
 *
 * @param now in seconds since the epoch
 */
export function selects(request: SquashRequest, commit: ChainCommit, now: number): boolean {
  const isAi = commit.subject.startsWith('AI: ')
  const age = now - Number.parseInt(commit.committer.date, 10)
  switch (request.mode) {
    case 'auto_ai': return isAi || commit.runIds.length > 0
    case 'ai_messages': return isAi
    case 'hours': return age <= (request.hours ?? 0) * HOUR_SECONDS
    case 'days': return age <= (request.days ?? 0) * 24 * HOUR_SECONDS
    case 'msg_contains': return commit.message.includes(request.msg_target ?? '')
  }
}

/**
 * Divides the chain into groups that become one commit each, newest first; a group of several commits is squashed.
 *
 * @param contiguousOnly squash only the group at the head
 */
export function groupsOf(
  chain: readonly ChainCommit[], isSelected: (commit: ChainCommit) => boolean, contiguousOnly: boolean,
): ChainCommit[][] {
  const groups: ChainCommit[][] = []
  let previous = false
  let isOver = false
  for (const commit of chain) {
    const selected: boolean = !isOver && isSelected(commit)
    const group = groups.at(-1)
    if (selected && previous && group) group.push(commit)
    else groups.push([commit])
    previous = selected
    isOver = contiguousOnly && !selected
  }
  return groups
}

/**
 * The message of a squashed commit. It keeps the run ids, so that the commit still counts as that of its runs.
 *
 * @param given its beginning; default: the oldest subject and a list of all
 */
export function composeMessage(group: readonly ChainCommit[], given: string | undefined): string {
  const oldestFirst = group.toReversed()
  const runs = oldestFirst.flatMap(({ runIds }) => runIds.map(id => `Hermes-Run: ${id}`))
  if (runs.length === 0) return given ?? `${madeMessage(oldestFirst)}\n`
  const text = (given ?? madeMessage(oldestFirst)).trimEnd()
  // Git reads trailers from the last paragraph, unless that is the subject.
  const last = text.split(/\n\s*\n/).slice(1).at(-1)?.split('\n') ?? ['']
  const isTrailers = last.every(line => /^[\w-]+: /.test(line))
  return `${text}${isTrailers ? '\n' : '\n\n'}${runs.join('\n')}\n`
}

function madeMessage(oldestFirst: readonly ChainCommit[]): string {
  const more = oldestFirst.reduce((sum, { subject }) => (
    sum + 1 + Number(SQUASHED.exec(subject)?.[1] ?? 0)
  ), -1)
  const tail = ` (+${more} ${more === 1 ? 'commit' : 'commits'})`
  const first = (oldestFirst[0]?.subject ?? '').replace(SQUASHED, '')
  return [
    `${clip(first, SUBJECT_CHARS - tail.length)}${tail}`, '', ...oldestFirst.map(({ subject }) => `* ${subject}`),
  ].join('\n')
}

const SQUASHED = / \(\+(\d+) commits?\)$/
