import {
  HermesError, settingName, type AccessClass, type AnyVerb, type ApprovalReason, type Permission, type Policy,
  type PolicyClass, type Ruling, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import { changesDiff } from '../../../1-reports/src/index.js'
import { OverlayFiles } from '../../../2-files/src/index.js'
import { exactCommand } from '../../../4-verb-run/src/index.js'
import { callHandler } from './handlers/call-handler.js'
import { insteadOf, requireThere } from './place/only-here.js'
import { changedPaths } from './previews/paths-to-write.js'
import { ShownChange } from './previews/shown-change.js'

/** Name in a policy file of each type of verb; `undefined` is always on, since it concerns the session only. */
const CLASS_OF: Readonly<Record<AccessClass, Exclude<PolicyClass, 'network'> | undefined>> = {
  read: 'read', write: 'write', exec: 'exec', dynamic: 'exec', git: 'git', meta: undefined,
}
/** Longest argument value that an approval question shows, in UTF-16 units. */
const MAX_SHOWN = 200

/**
 * @throws HermesError `POLICY_DENIED` for a verb that the policy switches off, or that works on this machine only while
 * the files are elsewhere
 */
export function requireOn(verb: AnyVerb, { verbs, sandbox, terminal }: Policy): void {
  requireThere(verb, terminal)
  const name = CLASS_OF[verb.type]
  if (name === undefined) return
  const { value, by } = verbs[name]
  if (value === 'off') throw denied(`${verb.name} is switched off: ${by} says ${name}: off`)
  const { network } = verbs
  const own = verb.permission
  if (own) {
    // A tool of an MCP server. No sandbox holds the server: it may reach the network.
    if (own.value === 'off') throw denied(`${verb.name} is switched off: ${own.by} says calls: off`)
    if (network.by === undefined || network.value !== 'off') return
    throw denied(`${verb.name} cannot be called: ${network.by} says network: off, and nothing keeps a server from it`)
  }
  if (name === 'exec' && network.by !== undefined && network.value === 'off' && sandbox.value === 'none') {
    throw denied(`${verb.name} cannot run: ${network.by} says network: off, and there is no sandbox to keep it so`)
  }
}

function denied(message: string): HermesError {
  return new HermesError('POLICY_DENIED', message, { hint: 'Only the user can change the policy; do without it.' })
}

/**
 * The policy, with an approval required for every verb that starts programs or commits. @param by the setting that
 * wants it: `hermes.yaml:7`
 */
export function askingForCommands(policy: Policy, by: string): Policy {
  const asking = (ruling: Ruling<Permission>): Ruling<Permission> => (
    ruling.value === 'on' ? { value: 'ask', by } : ruling
  )
  const { exec, git } = policy.verbs
  return { ...policy, verbs: { ...policy.verbs, exec: asking(exec), git: asking(git) } }
}

/** Whether the policy leaves a verb on. */
export function isOn(verb: AnyVerb, policy: Policy): boolean {
  const name = CLASS_OF[verb.type]
  return !insteadOf(verb, policy.terminal) && (name === undefined || policy.verbs[name].value !== 'off')
}

/**
 * Asks the user for the approvals that the policy requires before a call.
 *
 * @returns the context for the call: its network is on or off, and its changes must be those that the user saw
 * @throws HermesError `APPROVAL_DENIED`; `CHANGED_ON_DISK` where files changed while the user was asked
 */
export async function askFirst(verb: AnyVerb, args: unknown, context: VerbContext): Promise<VerbContext> {
  const name = CLASS_OF[verb.type]
  if (name === undefined) return context
  const { verbs } = context.policy
  if (verb.permission) {
    await askForRemote(verb, args, context, verb.permission)
    return context
  }
  // A dry run changes nothing, so only reading is asked about: its result shows what was read.
  const isAsked = verbs[name].value === 'ask' && (name === 'read' || !context.dryRun)
  const reason = `${verbs[name].by} asks before every verb that is ${name}`
  if (name === 'exec') return askForCommand(verb, args, context, isAsked ? reason : undefined)
  if (!isAsked) return context
  const subject = ` (${clip(commandOf(verb, args), MAX_SHOWN)})`
  const preview = name === 'write' ? await previewWrite(verb, args, context)
    : { asks: [], diff: undefined, paths: [], shown: undefined }
  const reasons: ApprovalReason[] = [{ kind: 'policy', text: reason + subject }, ...preview.asks]
  requireGranted(verb, reason + subject, await context.approve({
    action: verb.name, reason: reasons.map(({ text }) => text).join('; '), kind: 'policy',
    ...(reasons.length > 1 && { reasons }), ...(preview.diff !== undefined && { diff: preview.diff }),
    ...(preview.paths.length > 0 && { paths: preview.paths }), exact: exactCall(verb, args, context),
  }))
  const granted = new Set(preview.asks.map(({ text }) => text))
  return {
    ...context, ...(preview.shown && { files: preview.shown.holding(context.files) }),
    approve: async (request) => (granted.has(request.reason) ? 'granted' : context.approve(request)),
  }
}

/** Command verbs ask for themselves, with all reasons in one question; others are asked about here. */
async function askForCommand(
  verb: AnyVerb, args: unknown, context: VerbContext, reason: string | undefined,
): Promise<VerbContext> {
  const { verbs, sandbox, hosts } = context.policy
  const reach = hosts === undefined ? 'gets the network' : `reaches ${hosts.value.join(', ')}`
  const network = verbs.network.value === 'ask' && !context.dryRun
    ? `${verbs.network.by} asks before a command ${reach}` : undefined
  if (verb.asksWithCommand) {
    const policyAsks = { ...(reason !== undefined && { command: reason }), ...(network !== undefined && { network }) }
    return { ...context, policyAsks }
  }
  const call = { kind: 'policy' as const, command: commandOf(verb, args), exact: exactCall(verb, args, context) }
  if (reason !== undefined) {
    const reasons: ApprovalReason[] = [reason, ...(network === undefined ? [] : [network])]
      .map((text) => ({ kind: 'policy', text, ...(text === network && { pattern: 'network' }) }))
    const all = reasons.map(({ text }) => text).join('; ')
    requireGranted(verb, all, await context.approve({
      action: verb.name, reason: all, ...call, ...(reasons.length > 1 && { reasons, network: true }),
    }))
    return network === undefined ? context : withNetwork(context, true)
  }
  if (network === undefined) return context
  // Under a name of its own, since leave to run a verb for the rest of the session does not include the network.
  const consent = await context.approve({ action: `${verb.name} with network`, reason: network, ...call })
  if (sandbox.value === 'none') requireGranted(verb, `${network}, and there is no sandbox to run it without`, consent)
  return withNetwork(context, consent === 'granted')
}

function withNetwork(context: VerbContext, isReached: boolean): VerbContext {
  const { verbs } = context.policy
  const ruling = { ...verbs.network, value: isReached ? 'on' as const : 'off' as const }
  return { ...context, policy: { ...context.policy, verbs: { ...verbs, network: ruling } } }
}

function exactCall({ name }: AnyVerb, args: unknown, { session }: VerbContext): string {
  return exactCommand({ verb: name, root: session.root, command: JSON.stringify(args) })
}

/** Asks once, whichever of the settings requires it. */
async function askForRemote(
  verb: AnyVerb, args: unknown, { policy: { verbs }, approve }: VerbContext, own: Ruling<Permission>,
): Promise<void> {
  const who = [verbs.exec, verbs.network, own].find(({ value, by }) => value === 'ask' && by !== undefined)
  if (who === undefined) return
  const reason = who === own
    ? `${who.by} asks before each call of a tool of this server`
    : `${who.by} asks before every verb that is ${who === verbs.exec ? 'exec' : 'network'}`
  const command = `${verb.name} ${JSON.stringify(args)}`
  requireGranted(verb, reason, await approve({ action: verb.name, reason, kind: 'policy', command }))
}

function requireGranted(verb: AnyVerb, reason: string, consent: Awaited<ReturnType<VerbContext['approve']>>): void {
  if (consent === 'granted') return
  throw consent === 'denied'
    ? new HermesError('APPROVAL_DENIED', `${verb.name}: the user does not want this to run`, {
      hint: 'Nothing was done. Do it another way, or say why it is needed and ask.',
    })
    : new HermesError('APPROVAL_DENIED', `${verb.name} needs an approval: ${reason}`, {
      hint: `There is nobody to ask. The user can approve it (${settingName('consent')}) or change the policy.`,
    })
}

/** What the approval question shows of a call: the command line, or the value of the verb's main parameter. */
function commandOf(verb: AnyVerb, args: unknown): string {
  const values = args as Record<string, unknown>
  const main = verb.primary === undefined ? undefined : values[verb.primary]
  const list: unknown = values['arguments']
  const words = [main, ...(Array.isArray(list) ? list : [])].filter((word) => typeof word === 'string')
  return Array.isArray(list) ? words.map((word) => JSON.stringify(word)).join(' ') : words.join(' ')
}

/**
 * What a call that writes would change and ask, so that the user can be asked once for all of it.
 *
 * @returns what the verb itself would ask; what it would change, and the files of it; `shown`, to hold the call to that
 * @throws what the call itself would fail with: then nobody needs to be asked
 */
async function previewWrite(verb: AnyVerb, args: unknown, context: VerbContext) {
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
