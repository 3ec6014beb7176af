import { hash, randomUUID } from 'node:crypto'
import { closeSync, constants, lstatSync, openSync, readlinkSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The least that a write with a journal asks of the system: see that the directory that is held open is still at its
 * place and what is there, keep the content, say what will be done, and replace the file in the held directory (Linux).
 *
 * @param files names and contents, all for `directory`
 * @param journal directory for what is kept
 */
export function writeWithJournal(directory, files, journal) {
  const directoryFd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  const contents = openSync(join(journal, 'contents'), 'wx')
  const log = openSync(join(journal, 'log'), 'wx')
  const held = `/proc/self/fd/${directoryFd}`
  let at = 0
  for (const [name, content] of files) {
    if (readlinkSync(held) !== directory || lstatSync(join(held, name), { throwIfNoEntry: false })) {
      throw new Error(name)
    }
    const bytes = Buffer.from(content)
    writeSync(contents, bytes)
    writeSync(log, `${JSON.stringify({ name, at, size: bytes.length, sha256: hash('sha256', bytes) })}\n`)
    at += bytes.length
    const temp = join(held, `.temp-${randomUUID()}`)
    const fd = openSync(temp, 'wx')
    writeSync(fd, bytes)
    closeSync(fd)
    renameSync(temp, join(held, name))
  }
  for (const fd of [directoryFd, contents, log]) closeSync(fd)
}
