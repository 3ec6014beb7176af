import { appendFileSync, constants, fstatSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { bytesAt, closing, endsInMidLine, makeOutputDirectory, openOutput } from '../../../2-files/src/index.js'
import { HermesError, isNodeError, isRecord, parseJson } from '../../../0-contracts/src/index.js'

/** How much of an existing file is read to recognise its kind, in bytes. */
const LOOK = 65_536

/**
 * Appends a line of training data to a JSONL file, which is created if needed.
 *
 * @param file `~/` is the user's home @returns its absolute path
 * @throws HermesError `EEXIST` where it holds something else; Node's codes
 */
export function saveConversation(line: string, file: string): string {
  const path = file.startsWith('~/') ? join(homedir(), file.slice(2)) : resolve(file)
  try {
    makeOutputDirectory(path)
    const descriptor = openOutput(
      path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0),
    )
    closing(descriptor, () => {
      const stat = fstatSync(descriptor)
      if (!stat.isFile() || !isTrainingData(descriptor, stat.size)) throw somethingElse(path)
      appendFileSync(descriptor, `${endsInMidLine(descriptor) ? '\n' : ''}${line}\n`)
    })
  } catch (error) {
    if (!isNodeError(error)) throw error
    throw new HermesError(error.code, `Cannot write ${path} (${error.code})`, {
      hint: 'Name another file: /save FILE.', cause: error,
    })
  }
  return path
}

function somethingElse(path: string): HermesError {
  return new HermesError('EEXIST', `${path} is there, and is no training data`, { hint: 'Nothing was added. Name '
    + 'another file: /save FILE.' })
}

/** Whether the file is empty, or its first line is a JSON object; of a longer line only the beginning is checked. */
function isTrainingData(descriptor: number, size: number): boolean {
  if (size === 0) return true
  const beginning = bytesAt(descriptor, 0, LOOK).toString()
  const end = beginning.indexOf('\n')
  if (end === -1 && size > LOOK) return beginning.startsWith('{"')
  return isRecord(parseJson(end === -1 ? beginning : beginning.slice(0, end)))
}
