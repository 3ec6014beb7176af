import { lstatSync, writeFileSync } from 'node:fs'
import { isNoFile, writeWhole, type WholeOptions } from '../atomic-write/index.js'
import { closing } from '../descriptors.js'
import { inParent } from '../store/index.js'
import { openThrough } from './open-through.js'
import { isOpenFile, outputTarget } from './output-target.js'

/**
 * Writes a file that the user named, as `writeWhole` does, but through no link that lies where runs work.
 *
 * @throws HermesError `POLICY_DENIED` for such a link; Node's errors; then it is as it was
 */
export function writeOutput(file: string, content: string | Uint8Array, options: WholeOptions = {}): void {
  const target = outputTarget(file)
  if (isOpenFile(target)) {
    writeFileSync(target, content)
    return
  }
  inParent(target, 'open', (held) => {
    if (lstatSync(held, { throwIfNoEntry: false })?.isSymbolicLink() !== true && isNoFile(held)) {
      closing(openThrough(held, file), (descriptor) => writeFileSync(descriptor, content))
    } else writeWhole(held, content, { ...options, isTarget: true })
  })
}
