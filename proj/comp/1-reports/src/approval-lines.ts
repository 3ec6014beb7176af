import { opensPart, type ApprovalQuestion, type SandboxAccess } from '../../0-contracts/src/index.js'
import { listed } from '../../0-text/src/index.js'

/** Most variables to list; those that change what runs come first. */
const MOST_VARIABLES = 40

/** Lines of an approval question about a call, besides its command. */
export interface ApprovalLines {
  /** Variables it sets, one a line; written by the model. */
  variables: string | undefined
  /** Where it would run, and in which sandbox. */
  place: string | undefined
  /** What an answer `session` would cover: names of all kinds involved. */
  kinds: readonly string[]
  /** Whether `always` is stored. */
  isStored: boolean
  /** Other reasons apply for which `always` only counts as `session`, so it will be asked again. */
  isAskedAgain: boolean
  /** Accesses that can be opened to a command stopped by the sandbox, with explanations. */
  offers: readonly { access: SandboxAccess; opens: string }[]
}

const OPENS: Readonly<Record<SandboxAccess, string>> = {
  network: 'in the sandbox, with the network of this machine',
  git: 'in the sandbox, with .git writable, but nothing that has git run programs',
  'network+git': 'in the sandbox, with the network of this machine and with .git writable, but nothing that has git '
    + 'run programs',
  outside: 'without a sandbox: it can do whatever you can',
}

export function approvalLines(request: ApprovalQuestion): ApprovalLines {
  const { action, kind = 'confirm', pattern, reason, reasons, variables = [], exact } = request
  const all = reasons ?? [{ kind, pattern, text: reason }]
  const first = [...variables].sort((a, b) => Number(b.changesWhatRuns ?? false) - Number(a.changesWhatRuns ?? false))
  const shown = first.slice(0, MOST_VARIABLES).map(({ name, value, changesWhatRuns }) => (
    `${name}=${value}${changesWhatRuns ? '   (changes what runs)' : ''}`
  ))
  const more = variables.length - shown.length
  const stored = all.filter((asked) => (
    asked.kind === 'hooks' || asked.kind === 'escalation' || (asked.kind === 'dangerous' && exact !== undefined)
  ))
  return {
    variables: variables.length === 0 ? undefined
      : [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    place: placeOf(request),
    kinds: [...new Set(all.map((asked) => (
      asked.kind === 'dangerous' && asked.pattern !== undefined ? `'${asked.pattern}'`
        : asked.kind === 'unsandboxed' ? `${action} without a sandbox`
        : asked.pattern === 'network' ? `${action} with the network` : action
    )))],
    offers: (request.offers ?? []).map((access) => ({ access, opens: OPENS[access] })),
    isStored: stored.length > 0,
    isAskedAgain: stored.length > 0 && stored.length < all.length,
  }
}

/** Most hosts to list. */
const MOST_HOSTS = 20

function placeOf({ directory, sandbox, network, hosts, access }: ApprovalQuestion): string | undefined {
  const parts = [
    ...(directory === undefined ? [] : [`in ${directory}`]),
    ...(sandbox === undefined ? [] : [sandbox === 'none' ? 'without a sandbox' : `in the sandbox ${sandbox}`]),
    // Without a sandbox nothing restricts the network.
    ...(network === undefined || sandbox === 'none' ? [] : [
      !network ? 'without the network'
        : hosts === undefined ? 'with the network' : `reaching only ${listed(hosts, MOST_HOSTS)}`,
    ]),
    ...(opensPart(access, 'git') ? ['with .git writable'] : []),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}
