import { lstatSync, mkdtempSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { caught, HermesError, isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { readConfig, type ConfigFile } from './config-files.js'

/**
 * The bytes of a file that is too large or no text, for repair in an editor; `undefined` for a readable file.
 *
 * @throws HermesError `INVALID_POLICY` for what is no file, or may not be read
 */
export function bytesToMend(file: ConfigFile): Buffer | undefined {
  try {
    readConfig(file)
    return undefined
  } catch (error) {
    // A project's file that is a link could reveal a file elsewhere.
    const look = file.whose === 'user' ? statSync : lstatSync
    const bytes = orNothing(() => (look(file.path).isFile() ? readFileSync(file.path) : undefined), undefined)
    if (bytes === undefined) throw error
    return bytes
  }
}

/**
 * A temporary copy for the editor.
 *
 * @throws HermesError with the code of the system
 */
export function draftFor(file: ConfigFile, bytes: Buffer): { directory: string; draft: string } {
  return caught(isNodeError, () => {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'hermes-config-')))
    const draft = join(directory, basename(file.path))
    writeFileSync(draft, bytes, { mode: 0o600 })
    return { directory, draft }
  }, (error) => {
    throw new HermesError(error.code, `Cannot make a copy to edit in ${tmpdir()} (${error.code})`, {
      hint: 'TMPDIR must name a directory that can be written.', cause: error,
    })
  })
}

/** @throws HermesError `INVALID_POLICY` where it is no text; the code of the system where the editor removed it */
export function textOfDraft(draft: string, file: ConfigFile): string {
  const bytes = caught(isNodeError, () => readFileSync(draft), (error) => {
    throw new HermesError(error.code, `The editor left no copy of ${file.name} (${error.code})`, { cause: error })
  })
  return caught(TypeError, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes), () => {
    throw new HermesError('INVALID_POLICY', `${file.name}: is not valid UTF-8`)
  })
}
