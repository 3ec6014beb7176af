import { delimiter } from 'node:path'
import { passedOver } from '../../../../2-processes/src/index.js'
import type { Check } from '../finding.js'

/** Directories of PATH from which commands in the sandbox take programs, and hermes itself none. */
export const checkPath: Check = async () => {
  const directories = (process.env['PATH'] ?? '').split(delimiter)
  const over = directories.flatMap((directory) => {
    const reason = passedOver(directory)
    return reason === undefined ? [] : [`${directory === '' ? '(empty)' : directory} (${reason})`]
  })
  if (over.length === 0) return []
  return [{
    id: 'path', status: 'note', title: 'PATH',
    detail: `hermes takes git and the like from no directory that runs can write, and passes over ${over.join(', ')}`,
    fix: 'Nothing, where commands alone need what is there: in the sandbox they find it.',
  }]
}
