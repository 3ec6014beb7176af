/**
 * Changes files in the root it is given, as a durable run does, and prints what it asks the system for, one call a
 * line: `fsync NAME`, `write NAME`, `rename NAME`, `unlink NAME`, `mkdir NAME`; names from the root. With a second
 * argument it writes files in a row instead.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'
import { DiskFiles } from '../../../../2-files/src/store/index.js'
import type { ApprovedPath } from '../../../../0-contracts/src/index.js'
import { Baselines, JournalledFiles, RunJournal } from '../../../src/journal/index.js'

const [root = '', inRow] = process.argv.slice(2)
const at = (name: string): ApprovedPath => join(root, name) as ApprovedPath
const calls: string[] = []
const { fdatasyncSync, fsyncSync, mkdirSync, renameSync, unlinkSync, writeSync, readlinkSync } = fs
/** Directories are named by what holds them open. */
const real = (path: unknown): string => (
  String(path).replace(/^\/proc\/self\/fd\/\d+/, (held) => readlinkSync(held))
)
const nameOf = (fd: number): string => relative(root, readlinkSync(`/proc/self/fd/${fd}`)) || '.'

fs.fsyncSync = (fd) => { calls.push(`fsync ${nameOf(fd)}`); fsyncSync(fd) }
fs.fdatasyncSync = (fd) => { calls.push(`fsync ${nameOf(fd)}`); fdatasyncSync(fd) }
fs.writeSync = ((fd: number, ...rest: [Uint8Array]) => { calls.push(`write ${nameOf(fd)}`); return writeSync(fd, ...rest) }) as typeof fs.writeSync
fs.renameSync = (from, to) => { calls.push(`rename ${relative(root, real(to))}`); renameSync(from, to) }
fs.unlinkSync = (path) => { calls.push(`unlink ${relative(root, real(path))}`); unlinkSync(path) }
fs.mkdirSync = ((path: string, ...rest: []) => { calls.push(`mkdir ${relative(root, real(path))}`); return mkdirSync(path, ...rest) }) as typeof fs.mkdirSync
syncBuiltinESMExports()

const journal = new RunJournal(root, { runId: 'r1', kind: 'run', startedAt: '' }, true)
const files = new JournalledFiles(new DiskFiles(), () => journal, new Baselines())
if (inRow === undefined) {
  files.write(at('old.txt'), 'new')
  files.remove(at('gone.txt'))
  files.makeDirectories(at('made/deep'))
  files.write(at('made/deep/new.txt'), 'new')
  files.move(at('moved.txt'), at('made/moved.txt'))
} else {
  files.hold(() => (error) => calls.push(error === undefined ? 'told' : String(error)))
  for (const name of ['old.txt', 'new.txt', 'gone.txt']) files.write(at(name), 'new')
  calls.push('all asked for')
  files.release()
}
files.flush()
journal.end({ endedAt: '', blocks: 1, failures: 0, summary: '', outcome: 'done' })
process.stdout.write(`${calls.join('\n')}\n`)
