import { resolve } from 'node:path'
import { createPathGate } from '../../../2-files/src/index.js'
import type { Arguments } from '../arguments.js'
import { inFlagTerms, waitMilliseconds } from './apply-options.js'

/**
 * What the flags say; the root is canonical.
 *
 * @param place where it is, if no flag says so
 * @throws HermesError `INVALID_OPTION`
 */
export function transactionOptions(
  args: Arguments,
  { root, allow }: { root: string; allow: readonly string[] } = {
    root: args.value('root') ?? '.', allow: args.values('allow'),
  },
) {
  // What a command planted, such as an editor's settings, the user takes back all the same.
  const gate = inFlagTerms(() => createPathGate({ root: resolve(root), allow: [...allow], forUser: true }))
  return { root: gate.root as string, gate, git: !args.has('no-git'), waitMs: waitMilliseconds(args) }
}

/** Where the hooks of git run for the commit of an undo or of a recovery. */
export async function hooksOfUser(args: Arguments, root: string) {
  if (args.has('no-git')) return undefined
  const { userHooks } = await import('../../../5-executor/src/index.js')
  return userHooks(root, args.values('allow'))
}
