import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { Hermes, type ExecutorOptions } from '../../../5-executor/src/executor/index.js'
import type { ApprovalRequest } from '../../../0-contracts/src/index.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { readTree } from '../../../../test/support/file-tree.js'
import type { Turn } from './wire.js'

const call = (id: string, name: string, args: object | string) => (
  { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
)

/** A conversation in which a model does work, makes mistakes, is told, and mends them. */
export const PLAY: readonly Turn[] = [
  {
    text: 'I write the files.',
    calls: [
      call('c1', 'write_file', { path: 'one.txt', content: 'one\n' }),
      call('c2', 'read_file', { path: 'absent.txt' }),
      call('c3', 'no_such_tool', {}),
      call('c4', 'fs_writeFile', { path: 'deep/two.txt', content: 'zwei „2“\n' }),
    ],
  },
  { calls: [call('c5', 'read_file', { path: 'one.txt' }), call('c6', 'delete_file', { path: 'old.txt' })] },
  { text: 'Done.' },
]
/** With a call that is no JSON, where the wire lets a model write one. */
export const PLAY_WITH_BAD_JSON: readonly Turn[] = PLAY.map((turn, index) => (
  index === 1 ? { ...turn, calls: [call('c7', 'read_file', "{'path': 'one.txt'}"), ...turn.calls ?? []] } : turn
))
export const OFFER = { toolsets: ['core'], verbs: ['fs.writeFile'] }

export interface Stage {
  root: string
  hermes: Hermes
  asked: ApprovalRequest[]
  tree: () => unknown
  commits: () => string[]
}

/** A session with one file, in a fresh repository unless nothing is committed; its user approves everything. */
export function stage(options: ExecutorOptions = {}): Stage {
  const root = tempDir()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  writeFileSync(join(root, 'old.txt'), 'old\n')
  if (options.gitCommit !== false) {
    git('init', '-q')
    for (const [name, value] of [['name', 'Test'], ['email', 'test@example.com']]) git('config', `user.${name}`, value!)
    git('add', '.')
    git('commit', '-q', '-m', 'start')
  }
  const asked: ApprovalRequest[] = []
  const approve = (request: ApprovalRequest) => {
    asked.push(request)
    return 'once' as const
  }
  const hermes = new Hermes({ root, policy: false, approve, ...options })
  return { root, hermes, asked, tree: () => Object.fromEntries(Object.entries(readTree(root)).filter(([path]) => !path.startsWith('.git/'))), commits: () => git('log', '--format=%s').trim().split('\n') }
}

/** What the tree of `PLAY` ends as. */
export const TREE_AFTER = { 'one.txt': 'one\n', 'deep/two.txt': 'zwei „2“\n' }
