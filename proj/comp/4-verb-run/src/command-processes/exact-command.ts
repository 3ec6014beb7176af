import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { SandboxAccess } from '../../../0-contracts/src/index.js'
import { isSecretName } from '../../../0-text/src/index.js'

/** Longest command kept whole, in UTF-16 units; of a longer one the beginning and a hash are kept. */
const MOST_KEPT = 500
const BEGINNING = 80

export interface ExactCall {
  verb: string
  /** Language of the command, if the verb does not imply it. */
  lang?: string | undefined
  root: string
  /** Absolute. */
  cwd?: string | undefined
  env?: Readonly<Record<string, string>> | undefined
  command: string
  /** How the command is confined less than by a sandbox without network. */
  hold?: Hold | undefined
  /** If only these hosts of the network can be reached. */
  hosts?: readonly string[] | undefined
}

/**
 * Wider access that the user gave this command; or how all commands run: without a sandbox, on another host, or with
 * the network.
 */
export type Hold = SandboxAccess | 'none' | 'ssh' | 'networked'

const HELD: Readonly<Record<Hold, string>> = {
  network: ', with the network', git: ', with .git',
  'network+git': ', with the network and .git', outside: ', outside the sandbox',
  none: ', without a sandbox', ssh: ', on another host', networked: ', in a sandbox with the network',
}

/**
 * A call in the form kept in `command_allowlist`, such as `execute_command in /home/me/app with CI="1": rm -rf build`.
 * Calls that differ in anything never have the same text: parts before the command are quoted where they could be
 * mistaken for others.
 */
export function exactCommand({ verb, lang, root, cwd, env = {}, command, hold, hosts }: ExactCall): string {
  const by = lang === undefined ? verb : `${verb} (${quoted(lang)})`
  const inside = cwd === undefined || cwd === root ? '' : ` at ${quoted(relative(root, cwd))}`
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ` ${quoted(name)}=${isSecretName(name) ? hashOf(value) : JSON.stringify(value)}`)
  const head = `${by} in ${quoted(root)}${inside}${variables.length > 0 ? ` with${variables.join('')}` : ''}`
    + (hold === undefined ? '' : hold === 'networked' && hosts
      ? `, in a sandbox that reaches ${quoted(hosts.join(','))}` : HELD[hold])
  return command.length <= MOST_KEPT ? `${head}: ${command}`
    : `${head}, ${command.length} characters, ${hashOf(command)}: ${command.slice(0, BEGINNING)}…`
}

function quoted(text: string): string {
  return /^[\w./~@+-]+$/.test(text) ? text : JSON.stringify(text)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}
