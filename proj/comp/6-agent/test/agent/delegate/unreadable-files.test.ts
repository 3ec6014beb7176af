import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainEnvironment } from '../../../../../test/support/cli.js'
import { writeTree } from '../../../../../test/support/file-tree.js'
import { useProgram } from '../../../../../test/support/program.js'
import { tempDir } from '../../../../../test/support/temp-dir.js'

/** `nobody`, where the tests run as root, who may read anything. */
const USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
/** Directories of one's own in PATH may be closed to this user. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/local/bin:/usr/bin:/bin`

describe.skipIf(process.platform === 'win32')('a copy of a tree with what its user may not read', () => {
  const program = useProgram(new URL('../support/copy-as-child.ts', import.meta.url))

  it.each([true, false])('has the rest, and names that, but nothing that is denied (in git: %s)', (isInGit) => {
    const root = join(tempDir(), 'project')
    writeTree(root, { 'a.txt': 'a\n', 'closed.txt': 'x\n', 'sub/b.txt': 'b\n', 'shut/c.txt': 'c\n', '.ssh/config': 'd\n' })
    if (isInGit) for (const args of [['init', '-q'], ['add', '-A']]) execFileSync('git', args, { cwd: root, env: plainEnvironment() })
    const home = tempDir()
    chmodSync(join(root, '..'), 0o755)
    for (const path of [home, root, ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map(name => join(root, name))]) {
      if (USER.uid !== undefined) lchownSync(path, USER.uid, USER.gid)
    }
    const closed = ['closed.txt', 'shut', '.ssh'].map(name => join(root, name))
    for (const path of closed) chmodSync(path, 0)
    const { stdout, stderr } = spawnSync(process.execPath, [program.path], {
      cwd: '/', input: root, encoding: 'utf8', env: { ...plainEnvironment(), HOME: home, PATH }, ...USER,
    })
    for (const path of closed) chmodSync(path, 0o700)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      names: ['a.txt', 'sub/b.txt'],
      notes: ['Not in the copy, as the user of hermes may not read them: closed.txt, shut/'],
    })
  })
})
