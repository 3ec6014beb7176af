import { HermesError } from '../../../0-contracts/src/index.js'
import { gitFailure, nulFields, type GitOutput } from '../../../2-git/src/index.js'
import { writeCommit, type Repository } from '../transaction/index.js'

export interface ChainCommit {
  hash: string
  tree: string
  /** Empty for a root commit. */
  parents: string[]
  author: Person
  committer: Person
  subject: string
  /** The whole message. */
  message: string
  /** Values of its `Hermes-Run` trailers. */
  runIds: string[]
}

interface Person {
  name: string
  email: string
  /** Date in git's form: `SECONDS ZONE`. */
  date: string
}

const FIELDS = [
  '%H', '%T', '%P', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%s', '%B', '%(trailers:key=Hermes-Run,valueonly)',
]
const FORMAT = `--format=tformat:${FIELDS.join('%x00')}`

/**
 * The commits that may be rewritten, newest first: from HEAD along single parents, up to the first one in a remote
 * branch. Also ends before a merge, and in a shallow clone before its oldest commit.
 */
export async function unpushedChain(repository: Repository, head: string): Promise<ChainCommit[]> {
  const output = await repository.run([
    '-c', 'log.showSignature=false', 'log', '-z', '--encoding=UTF-8', '--date=raw', '--first-parent', FORMAT, head,
    '--not', '--remotes', '--',
  ])
  const shallow = await repository.run(['rev-parse', '--is-shallow-repository'])
  const isShallow = shallow.toString('utf8').trim() === 'true'
  const chain: ChainCommit[] = []
  for (const commit of parseChain(output)) {
    const isNext = commit.hash === (chain.at(-1)?.parents[0] ?? head)
    if (!isNext || commit.parents.length > 1 || (isShallow && commit.parents.length === 0)) break
    chain.push(commit)
  }
  return chain
}

function parseChain(output: Uint8Array): ChainCommit[] {
  const fields = nulFields(output)
  const commits: ChainCommit[] = []
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    const [
      hash = '', tree = '', parents = '', an = '', ae = '', ad = '', cn = '', ce = '', cd = '', subject = '',
      message = '', runs = '',
    ] = fields.slice(at, at + FIELDS.length)
    commits.push({
      hash, tree, parents: words(parents), author: { name: an, email: ae, date: ad },
      committer: { name: cn, email: ce, date: cd }, subject, message, runIds: words(runs),
    })
  }
  return commits
}

function words(text: string): string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

/**
 * Writes a commit; signed if the user signs all commits.
 *
 * @returns its full SHA
 */
export async function rewriteCommit(
  repository: Repository,
  { tree, parent, author, committer, message }: Pick<ChainCommit, 'tree' | 'author' | 'message'> & {
    parent: string | undefined
    /** Default: the user, now. */
    committer?: Person
  },
): Promise<string> {
  const env = { ...personOf('AUTHOR', author), ...(committer && personOf('COMMITTER', committer)) }
  return writeCommit((args, input) => repository.try(args, { env, input }), tree, {
    parents: parent === undefined ? [] : [parent], message, signs: true, failure: squashFailure,
  })
}

function squashFailure(output: GitOutput): HermesError {
  if (!/tell me who you are|empty ident/i.test(output.stderr)) return gitFailure('squash', output)
  return new HermesError('NO_IDENTITY', 'squash: git does not know who commits', {
    hint: 'Say it once: git config --global user.name "NAME" and git config --global user.email ADDRESS.',
  })
}

function personOf(role: 'AUTHOR' | 'COMMITTER', { name, email, date }: Person): Record<string, string> {
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: email, [`GIT_${role}_DATE`]: `@${date}` }
}
