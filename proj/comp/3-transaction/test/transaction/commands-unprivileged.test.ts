import { spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useProgram } from '../../../../test/support/program.js'
import { tempDir } from '../../../../test/support/temp-dir.js'
import { Root } from './root.js'

/** `nobody`: root may write everywhere. Others run it themselves. */
const USER = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Directories of one's own in PATH may be closed to this user. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/local/bin:/usr/bin:/bin`

const script = useProgram(new URL('support/command-and-undo.ts', import.meta.url))

function runAndUndo(root: Root, text: string): unknown {
  // Where the key is that signs the journal.
  const home = tempDir()
  const all = [home, root.directory, ...readdirSync(root.directory, { recursive: true, encoding: 'utf8' }).map((name) => join(root.directory, name))]
  if (USER.uid !== undefined) for (const path of all) lchownSync(path, USER.uid, USER.gid)
  const { stdout, stderr, status } = spawnSync(process.execPath, [script.path, root.directory, text], { ...USER, env: { ...process.env, HOME: '/', HERMES_HOME: home, PATH }, encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return JSON.parse(stdout)
}

describe.skipIf(process.platform === 'win32')('as an unprivileged user', () => {
  it('undo writes again in directories that a command made read-only', () => {
    const root = Root.repository({ 'e/f/g.txt': 'g\n', 'e/h.txt': 'h\n' })
    const before = root.tree()
    const outcome = runAndUndo(root, 'echo new > e/f/g.txt; rm e/h.txt; chmod 555 e e/f')
    expect(outcome).toMatchObject({ done: { warnings: [] }, undone: { left: [] } })
    expect(root.tree()).toEqual(before)
  })

  it('what cannot be read is told, and undo leaves what it does not know', () => {
    const root = Root.repository()
    root.put({ 'secret.txt': 'secret\n' })
    chmodSync(join(root.directory, 'secret.txt'), 0o000)
    const outcome = runAndUndo(root, 'echo by a command > a.txt')
    expect(outcome).toMatchObject({
      done: { warnings: [expect.stringMatching(/^What commands change(?:d)? cannot be undone or committed: git could not read the tree .*secret/)] },
      undone: { left: [], warnings: [expect.stringMatching(/^Commands ran: what they changed is not known/)] },
    })
    expect(root.text('a.txt')).toBe('by a command\n')
  })
})
