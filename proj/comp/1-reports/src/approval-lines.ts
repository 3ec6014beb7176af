import { opensPart, type ApprovalRequest, type SandboxAccess } from '../../0-contracts/src/index.js'

/** Most variables that are listed; those that change what runs come first. */
const MOST_VARIABLES = 40

/** What a question shows of a call besides its command. */
export interface ApprovalLines {
  /** The variables it sets, one a line: the model's words. */
  variables: string | undefined
  /** Where it would run, and what would hold it. */
  place: string | undefined
  /** What `session` holds for, and what the kind of it is called; of several kinds all. */
  kinds: readonly string[]
  /** `always` is stored. */
  isStored: boolean
  /** Besides there is something to it that `always` holds for as `session` does, and that is asked again. */
  isAskedAgain: boolean
  /** What can be opened to a command that the sandbox stopped, and what that means. */
  offers: readonly { access: SandboxAccess; opens: string }[]
}

const OPENS: Readonly<Record<SandboxAccess, string>> = {
  network: 'in the sandbox, with the network of this machine',
  git: 'in the sandbox, with .git writable, but nothing that has git run programs',
  'network+git': 'in the sandbox, with the network of this machine and with .git writable, but nothing that has git '
    + 'run programs',
  outside: 'without a sandbox: it can do whatever you can',
}

export function approvalLines(request: ApprovalRequest): ApprovalLines {
  const { action, kind = 'confirm', pattern, reason, reasons, variables = [], exact } = request
  const all = reasons ?? [{ kind, pattern, text: reason }]
  const first = [...variables].sort((a, b) => Number(b.changesWhatRuns ?? false) - Number(a.changesWhatRuns ?? false))
  const listed = first.slice(0, MOST_VARIABLES).map(({ name, value, changesWhatRuns }) => (
    `${name}=${value}${changesWhatRuns ? '   (changes what runs)' : ''}`
  ))
  const more = variables.length - listed.length
  const stored = all.filter((one) => (
    one.kind === 'hooks' || one.kind === 'escalation' || (one.kind === 'dangerous' && exact !== undefined)
  ))
  return {
    variables: variables.length === 0 ? undefined
      : [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    place: placeOf(request),
    kinds: [...new Set(all.map((one) => (
      one.kind === 'dangerous' && one.pattern !== undefined ? `'${one.pattern}'`
        : one.kind === 'unsandboxed' ? `${action} without a sandbox`
        : one.pattern === 'network' ? `${action} with the network` : action
    )))],
    offers: (request.offers ?? []).map((access) => ({ access, opens: OPENS[access] })),
    isStored: stored.length > 0,
    isAskedAgain: stored.length > 0 && stored.length < all.length,
  }
}

function placeOf({ directory, sandbox, network, access }: ApprovalRequest): string | undefined {
  const parts = [
    ...(directory === undefined ? [] : [`in ${directory}`]),
    ...(sandbox === undefined ? [] : [sandbox === 'none' ? 'without a sandbox' : `in the sandbox ${sandbox}`]),
    // Without a sandbox nothing keeps a command from it.
    ...(network === undefined || sandbox === 'none' ? [] : [network ? 'with the network' : 'without the network']),
    ...(opensPart(access, 'git') ? ['with .git writable'] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}
