import { rename, rm, writeFile } from 'node:fs/promises'
import { aboutFile } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'

/**
 * As `writeOwn`, for content so large, or a disk so far, that the process must not stand still meanwhile. It need not
 * be on the disk when this ends: for what is checked when it is read, and can be had again.
 *
 * @throws Node's errors; then it is as it was, and no other file is left
 */
export async function writeWholeAsync(file: string, content: Uint8Array): Promise<void> {
  const temp = tempBeside(file)
  try {
    await writeFile(temp, content, { flag: 'wx' })
    await rename(temp, file)
  } catch (error) {
    await rm(temp, { force: true })
    throw aboutFile(error, temp, file)
  }
}
