import type { AnyVerb, ApprovalReason, VerbContext } from '../../../../0-contracts/src/index.js'
import { changesDiff } from '../../../../1-reports/src/index.js'
import { OverlayFiles } from '../../../../2-files/src/index.js'
import { callHandler } from '../handlers/call-handler.js'
import { changedPaths } from './paths-to-write.js'
import { ShownChange } from './shown-change.js'

/**
 * What a call that writes would change and ask, so that the user can be asked once for all of it.
 *
 * @returns what the verb itself would ask; what it would change, and the files of it; `shown`, to hold the call to that
 * @throws what the call itself would fail with: then nobody needs to be asked
 */
export async function previewWrite(verb: AnyVerb, args: unknown, context: VerbContext) {
  const files = new OverlayFiles()
  const shown = new ShownChange()
  const asks: ApprovalReason[] = []
  await callHandler(verb, args, {
    ...context, files: shown.noting(files), dryRun: true, vocabulary: verb.vocabulary, advise: () => undefined,
    async approve({ kind = 'confirm', pattern, reason }) {
      asks.push({ kind, text: reason, ...(pattern !== undefined && { pattern }) })
      return Promise.resolve('granted')
    },
  })
  const diff = await changesDiff(files.changes, context.session.root)
  return { asks, diff, paths: changedPaths(files.changes), shown }
}
