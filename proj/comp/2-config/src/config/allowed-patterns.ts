import { resolve } from 'node:path'
import { whileLocked } from './lock-policy-file.js'
import { readPolicyFile, USER_FILE, userPolicyFile } from './policy-files.js'
import { replacePolicyFile } from './replace-policy-file.js'
import { policyError } from './source.js'

/** Lists of the user's file that answers add to. */
export type AllowedList = 'command_allowlist' | 'trusted_hooks'

/**
 * Adds an entry to a list of the user's policy file, which is made where there is none; comments and
 * order are kept. Written to a temporary file and renamed; a link keeps standing, and its target is replaced.
 *
 * @param pattern name of a dangerous pattern, or a project whose hooks are trusted
 * @param path of a policy file in place of `~/.hermes/config.yaml`
 * @throws HermesError `INVALID_POLICY` for a file that cannot be read, `LOCKED`;
 *   Node's errors for one that cannot be written
 */
export async function storeAllowedPattern(
  pattern: string, path?: string, list: AllowedList = 'command_allowlist',
): Promise<void> {
  const file = resolve(path ?? userPolicyFile())
  for (;;) {
    const text = readPolicyFile(file, path ?? USER_FILE, true) ?? ''
    const added = await withPattern(text, { pattern, key: list, name: path ?? USER_FILE })
    if (added === undefined) return
    const isWritten = await whileLocked(file, () => {
      if ((readPolicyFile(file, path ?? USER_FILE, true) ?? '') !== text) return false
      replacePolicyFile(file, added)
      return true
    })
    if (isWritten) return
  }
}

/**
 * The text of a policy file with the pattern on its list.
 *
 * @returns `undefined` where it is on it already
 */
async function withPattern(
  text: string, { pattern, key, name }: { pattern: string; key: AllowedList; name: string },
): Promise<string | undefined> {
  const { isSeq, parseDocument } = await import('yaml')
  const document = parseDocument(text, { schema: 'core', version: '1.2', prettyErrors: false, logLevel: 'error' })
  const list: unknown = document.get(key, true)
  const before: unknown = document.toJS()
  if (document.errors.length > 0) {
    throw policyError('INVALID_POLICY', [`${name}: ${document.errors[0]?.message ?? 'cannot be read'}`])
  }
  if (isSeq(list)) {
    if (list.items.some((item) => String(item) === pattern)) return undefined
    list.add(pattern)
  } else if (list === undefined || list === null || document.get(key) === null) {
    document.set(key, document.createNode([pattern]))
  } else {
    throw policyError('INVALID_POLICY', [`${name}: ${key} is not a list`])
  }
  const comment = before === null ? '# Settings of hermes for this user; hermes help policy describes them.\n' : ''
  return comment + document.toString({ lineWidth: 0 })
}
