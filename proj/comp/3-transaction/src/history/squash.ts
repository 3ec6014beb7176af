import { HermesError } from '../../../0-contracts/src/index.js'
import { gitFailure } from '../../../2-git/src/index.js'
import type { Repository } from '../transaction/index.js'
import { unpushedChain, rewriteCommit, type ChainCommit } from './commit-chain.js'
import { shortId, withHistory, type HistoryOptions } from './open-history.js'
import { checkRequest, type SquashRequest } from './squash-options.js'
import { composeMessage, groupsOf, selects } from './squash-plan.js'

export interface SquashedCommit {
  /** Full SHA. */
  commit: string
  /** First line of its message. */
  subject: string
  /** Full SHAs of the replaced commits, oldest first. */
  replaces: string[]
}

export interface SquashOutcome {
  success: true
  /** Full SHAs of HEAD before and after. */
  from: string
  to: string
  /** Newest first. */
  squashed: SquashedCommit[]
  /** Ref that keeps the old head reachable. */
  kept_ref: string
  /** Command that reverts the squash. */
  undo: string
}

/**
 * The verb `git_squash`: combines several commits into one, with the tree of the newest and the author of the oldest.
 * Only takes commits that no remote branch has, back to the last merge. Index and work tree are not touched; the old
 * head stays reachable under `refs/hermes/squash/`.
 *
 * @throws HermesError as `withHistory`; `NOTHING_TO_SQUASH`; `INVALID_PARAMETER` on a detached HEAD and for wrong
 *   options, `MISSING_PARAMETER`; `CHANGED_ON_DISK` when the branch moves meanwhile. Then nothing has changed.
 */
export async function squash(options: HistoryOptions, request: SquashRequest): Promise<SquashOutcome> {
  checkRequest(request)
  return withHistory('squash', options, async ({ repository, head, branch }) => {
    if (branch === undefined) throw detached()
    const chain = await unpushedChain(repository, head)
    const now = Date.now() / 1000
    const groups = groupsOf(chain, commit => selects(request, commit, now), request.contiguous_only ?? true)
    const first = groups.findLastIndex(group => group.length > 1)
    const changing = groups.slice(0, first + 1)
    const oldest = changing.at(-1)?.at(-1)
    if (!oldest) throw nothingToSquash(chain, request, now)
    await requireUnpushed(repository, oldest.hash)
    const { to, squashed } = await rebuild(repository, changing, oldest.parents[0], request.message)
    const keptRef = `refs/hermes/squash/${new Date().toISOString().replaceAll(/[-:]/g, '')}`
    await moveBranch(repository, { branch, from: head, to, keptRef })
    return { success: true, from: head, to, squashed, kept_ref: keptRef, undo: `git reset --soft ${keptRef}` }
  })
}

/** Writes the new commits. Trees stay the same, so there can be no conflicts. */
async function rebuild(
  repository: Repository, groups: readonly ChainCommit[][], base: string | undefined, message: string | undefined,
): Promise<{ to: string; squashed: SquashedCommit[] }> {
  let parent = base
  const squashed: SquashedCommit[] = []
  for (const group of groups.toReversed()) {
    const [newest] = group
    const oldest = group.at(-1)
    if (!newest || !oldest) continue
    const { tree } = newest
    const { author } = oldest
    if (newest === oldest) {
      const { message: same, committer } = newest
      parent = await rewriteCommit(repository, { tree, parent, author, message: same, committer })
    } else {
      const text = composeMessage(group, message)
      parent = await rewriteCommit(repository, { tree, parent, author, message: text })
      const subject = text.trimStart().split('\n')[0] ?? ''
      squashed.unshift({ commit: parent, subject, replaces: group.map(({ hash }) => hash).toReversed() })
    }
  }
  if (parent === undefined) throw new HermesError('INTERNAL', 'squash: no commit was written')
  return { to: parent, squashed }
}

/** Updates both refs or none, and only if the branch has not moved. */
async function moveBranch(
  repository: Repository, { branch, from, to, keptRef }: Record<'branch' | 'from' | 'to' | 'keptRef', string>,
): Promise<void> {
  const input = [`create ${keptRef}`, from, `update ${branch}`, to, from, ''].join('\0')
  const output = await repository.try(['update-ref', '-m', 'hermes squash', '-z', '--stdin'], { input })
  if (output.exitCode === 0) return
  if (!/but expected|cannot lock ref/.test(output.stderr)) throw gitFailure('squash', output)
  throw new HermesError('CHANGED_ON_DISK', 'squash: the branch was moved by someone else meanwhile', {
    hint: 'Nothing was changed. Try again.', data: { stderr: output.stderr },
  })
}

/**
 * Catches what the walk along first parents may miss: a remote branch with any of the commits contains the oldest one.
 */
async function requireUnpushed(repository: Repository, oldest: string): Promise<void> {
  const output = await repository.run(['for-each-ref', '--count=1', `--contains=${oldest}`, 'refs/remotes'])
  if (output.length === 0) return
  throw new HermesError('INVALID_PARAMETER', `squash: ${shortId(oldest)} is pushed already`, {
    hint: 'Only commits that no remote branch has can be squashed.',
  })
}

function nothingToSquash(chain: readonly ChainCommit[], request: SquashRequest, now: number): HermesError {
  const selected = chain.filter(commit => selects(request, commit, now)).length
  const upTo = request.contiguous_only === false ? '' : ' up to HEAD'
  const why = chain.length === 0
    ? 'the last commit is pushed, or a merge'
    : selected > 1
      ? `${selected} commits would be squashed, but they do not follow one another${upTo}`
      : `of ${chain.length} unpushed ${chain.length === 1 ? 'commit' : 'commits'}, ${selected} would be squashed`
  return new HermesError('NOTHING_TO_SQUASH', `squash: nothing to squash: ${why}`, {
    hint: 'At least two commits in a row are needed, not pushed and newer than the last merge. '
      + 'With contiguous_only false (--all-groups) they need not reach up to HEAD.',
  })
}

function detached(): HermesError {
  return new HermesError('INVALID_PARAMETER', 'squash: HEAD is detached, so there is no branch to rewrite', {
    hint: 'Check out a branch first: git switch BRANCH; hermes step-forward leads back to the one that was left.',
  })
}
