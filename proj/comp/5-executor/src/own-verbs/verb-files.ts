import {
  HermesError, type AnyVerb, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { FILE_METHODS, type FileMethod, type VerbFiles } from '../../../2-extensions/src/index.js'
import { checkResult, validateCall, VerbRegistry } from '../../../1-registry/src/index.js'
import { askFirst, requireOn } from '../executor/permissions.js'
import { VERBS } from '../verbs/index.js'

const BUILT_IN = new VerbRegistry(VERBS)

/** Types of verbs that may change files: an extension's verb declared as reading is held to that. */
const CHANGING: ReadonlySet<AnyVerb['type']> = new Set(['write', 'exec'])

/**
 * Serves an extension's file requests during a call that it carries out: each request runs a verb in the same context,
 * under its path gate, policy, journal, limits and dry run.
 *
 * @param outer the verb that the extension carries out
 */
export function verbFiles(outer: AnyVerb, context: VerbContext): VerbFiles {
  return {
    async request(method, args) {
      const verb = await fileVerb(method)
      if (verb.type === 'write' && !CHANGING.has(outer.type)) {
        throw new HermesError(
          'POLICY_DENIED', `${method}: ${outer.name} is a verb that only reads (access: ${outer.type})`,
          { hint: 'A verb that changes files says access: write.' },
        )
      }
      requireOn(verb, context.policy)
      const rules = { relativePaths: true, root: context.session.root, rootAliases: [] }
      const valid = validateCall(verb, 'envelope', args, rules)
      if (!valid.ok) throw new HermesError(valid.code, `${method}: ${valid.message}`, { hint: valid.hint })
      // Requests of the call's own type were approved with the call, whose changes the user has seen.
      const permitted = verb.type === outer.type ? context : await askFirst(verb, valid.args, context)
      context.signal.throwIfAborted()
      const checked = checkResult(verb, await verb.handler(valid.args as never, { ...permitted, vocabulary: 'hermes' }))
      if (!checked.ok) throw new HermesError('INTERNAL', `${method}: ${checked.problem}`)
      return checked.data ?? {}
    },
  }
}

/** The verb of a file request: `fs/readFile` is `fs.readFile`. */
async function fileVerb(method: FileMethod): Promise<AnyVerb> {
  const verb = await BUILT_IN.load(method.replace('/', '.'))
  if (verb) return verb
  throw new HermesError('INTERNAL', `${method} is no verb`)
}

/** The verbs of all file requests, for the protocol's document. */
export async function fileVerbs(): Promise<Readonly<Record<FileMethod, AnyVerb>>> {
  const verbs = await Promise.all(FILE_METHODS.map(async (method) => [method, await fileVerb(method)] as const))
  return Object.fromEntries(verbs) as Record<FileMethod, AnyVerb>
}
