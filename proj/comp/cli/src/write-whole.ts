import { randomUUID } from 'node:crypto'
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Writes a file that is there as a whole or not at all: beside it and renamed. What is no plain file (a link, a device)
 * is written where it leads.
 *
 * @throws Node's errors; then it is as it was
 */
export function writeWhole(file: string, text: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats && !stats.isFile()) {
    writeFileSync(file, text)
    return
  }
  const temporary = `${file}.${randomUUID().slice(0, 8)}.tmp`
  try {
    writeFileSync(temporary, text, { flag: 'wx', ...(stats && { mode: stats.mode & 0o777 }) })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
