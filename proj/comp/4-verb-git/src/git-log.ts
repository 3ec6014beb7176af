import * as v from 'valibot'
import {
  defineVerb, described, HermesError, integerBetween, text, titled, toolPath,
} from '../../0-contracts/src/index.js'
import { gitReader, LOG_FORMAT, parseLog } from '../../2-git/src/index.js'
import { missingPath } from '../../2-files/src/index.js'
import { openRepository } from './open-repository.js'
import { READS_GIT } from './verb-kinds.js'

const commit = titled('GitCommitInfo', {
  hash: text('Full hash.'),
  author_name: text('Name of the author.'),
  author_email: text('E-mail address of the author.'),
  date: text('When it was written, for example 2025-01-31T12:00:00+01:00.'),
  subject: text('First line of the message.'),
  body: text('The rest of the message.'),
})

/** Core tool: lists commits. */
export const gitLog = defineVerb({
  ...READS_GIT,
  name: 'git_log',
  description: 'List the latest commits of the current branch, newest first; with path only those that changed it, '
    + 'with author only those of one author.',
  constraints: [
    'Where the repository begins above the root, only commits that changed something inside the root are listed.',
    'No program that the repository itself configures is run.',
  ],
  args: v.strictObject({
    count: v.optional(integerBetween('Most commits to list, 1 to 100. Default: 10.', 1, 100), 10),
    path: v.optional(toolPath('File or directory: only commits that changed it are listed; renames are not followed.')),
    author: v.optional(text('Part of the name or e-mail address of the author; case does not matter.')),
  }),
  check({ author }) {
    if (author === undefined || /^[^\0-\x1f\x7f]+$/.test(author)) return
    throw new HermesError('INVALID_PARAMETER', 'git_log: author must be text of one line', {
      hint: 'Write a part of a name or address, or leave author out.',
    })
  },
  result: v.strictObject({
    commits: described(v.array(commit), 'Newest first; empty before the first commit.'),
    truncated: v.optional(described(v.literal(true), 'The messages were too long: commits are missing.')),
  }),
  examples: [{}, { count: 3, path: 'README.md' }, { author: 'ada' }],
  async handler({ count, path, author }, context) {
    const repository = await openRepository('git_log', path, context)
    const { limits, signal } = context
    const git = gitReader({ verb: 'git_log', cwd: repository.top, signal, timeoutMs: limits.commandTimeoutMs })
    const head = await git.try(['rev-parse', '--verify', '--quiet', 'HEAD'])
    if (head.exitCode !== 0) return { commits: [] }
    // With a path, git leaves out merges and empty commits, so pass none for a whole repository.
    const limit = repository.scope === repository.top ? ['--'] : repository.limit
    const { stdout, truncated } = await git.read([
      'log', '-z', LOG_FORMAT, `--max-count=${count}`, '--no-color', '--no-decorate', '--no-show-signature',
      '--encoding=UTF-8', '--no-patch',
      ...(author === undefined ? [] : ['--fixed-strings', '--regexp-ignore-case', `--author=${author}`]), ...limit,
    ], { maxOutputBytes: limits.maxOutputBytes })
    const commits = parseLog(stdout).map(({ authorName, authorEmail, ...rest }) => ({
      hash: rest.hash, author_name: authorName, author_email: authorEmail, date: rest.date, subject: rest.subject,
      body: rest.body,
    }))
    if (commits.length === 0 && !repository.onDisk && path !== undefined) {
      throw missingPath('git_log', path, repository.scope, context)
    }
    return { commits, ...(truncated && { truncated: true as const }) }
  },
})
