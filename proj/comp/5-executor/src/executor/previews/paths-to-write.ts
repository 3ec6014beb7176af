import {
  HermesError, isNodeError, type AnyVerb, type FileChange, type VerbContext,
} from '../../../../0-contracts/src/index.js'
import { OverlayFiles } from '../../../../2-files/src/index.js'
import { callHandler } from '../handlers/call-handler.js'

/** The files that a call would change: it is tried in memory. None where it fails: it fails by itself then. */
export async function pathsToWrite(verb: AnyVerb, args: unknown, context: VerbContext): Promise<string[]> {
  const files = new OverlayFiles()
  try {
    await callHandler(verb, args, {
      ...context, files, dryRun: true, vocabulary: verb.vocabulary, advise: () => undefined,
      approve: () => Promise.resolve('granted'),
    })
  } catch (error) {
    if (!(error instanceof HermesError || isNodeError(error))) throw error
    return []
  }
  return changedPaths(files.changes)
}

/** Each once; of a move both. */
export function changedPaths(changes: readonly FileChange[]): string[] {
  return [...new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])))]
}
