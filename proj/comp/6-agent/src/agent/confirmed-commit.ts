import { HermesError, isRecord, type AnyVerb, type VerbContext } from '../../../0-contracts/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { changesOfSession, sessionOfRun } from '../../../3-transaction/src/index.js'

const VERB = 'git_commit'

/** The verb as a conversation has it whose user sees the message before anything is committed; others as they are. */
export function withConfirmedCommit(verb: AnyVerb): AnyVerb {
  if (verb.name !== VERB) return verb
  const handler: AnyVerb['handler'] = async (args: never, context: VerbContext) => {
    if (!context.dryRun) await confirm(args, context)
    return verb.handler(args, context)
  }
  return { ...verb, handler }
}

/** @throws HermesError `APPROVAL_DENIED` */
async function confirm(args: unknown, context: VerbContext): Promise<void> {
  const message = isRecord(args) && typeof args['message'] === 'string' ? args['message'] : ''
  const consent = await context.approve({
    action: VERB, kind: 'confirm', reason: `commits ${await whatOf(args, context)}, with this message`,
    command: message,
  })
  if (consent === 'granted') return
  throw new HermesError('APPROVAL_DENIED', consent === 'denied' ? `${VERB}: the user does not want this commit`
    : `${VERB}: the user has to see the message first, and there is nobody to ask`, {
    hint: 'Nothing was committed. Propose another message, or leave it to the user (/commit).',
  })
}

async function whatOf(args: unknown, { session: { root }, runId }: VerbContext): Promise<string> {
  const { files, all } = isRecord(args) ? args : {}
  if (Array.isArray(files)) return listed(files.map(String))
  if (all === true) return 'all changes of tracked files'
  const session = sessionOfRun(root, runId)
  const changes = session === undefined ? undefined : await changesOfSession(root, session, { current: runId })
  return changes && changes.files.length > 0 ? listed(changes.files) : 'what is staged'
}
