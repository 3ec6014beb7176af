import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { SandboxAccess } from '../../../0-contracts/src/index.js'
import { isSecretName } from '../../../0-text/src/index.js'

/** Longer commands are kept as their beginning and a hash, in UTF-16 units. */
const MOST_KEPT = 500
const BEGINNING = 80

export interface ExactCall {
  verb: string
  /** What the command is written in, where the verb does not say it. */
  lang?: string | undefined
  root: string
  /** Absolute. */
  cwd?: string | undefined
  env?: Readonly<Record<string, string>> | undefined
  command: string
  /** What holds it less than a sandbox without the network does. */
  hold?: Hold | undefined
}

/** What the user opened to the command alone; or how all run: in no sandbox, elsewhere, with the network. */
export type Hold = SandboxAccess | 'none' | 'ssh' | 'networked'

const HELD: Readonly<Record<Hold, string>> = {
  network: ', with the network', git: ', with .git',
  'network+git': ', with the network and .git', outside: ', outside the sandbox',
  none: ', without a sandbox', ssh: ', on another host', networked: ', in a sandbox with the network',
}

/**
 * A call as `command_allowlist` keeps it, such as `execute_command in /home/me/app with CI="1": rm -rf build`. Two
 * calls that differ in anything never have the same text: what comes before the command is quoted where it could be
 * taken for something else.
 */
export function exactCommand({ verb, lang, root, cwd, env = {}, command, hold }: ExactCall): string {
  const by = lang === undefined ? verb : `${verb} (${quoted(lang)})`
  const inside = cwd === undefined || cwd === root ? '' : ` at ${quoted(relative(root, cwd))}`
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ` ${quoted(name)}=${isSecretName(name) ? hashOf(value) : JSON.stringify(value)}`)
  const head = `${by} in ${quoted(root)}${inside}${variables.length > 0 ? ` with${variables.join('')}` : ''}`
    + (hold === undefined ? '' : HELD[hold])
  return command.length <= MOST_KEPT ? `${head}: ${command}`
    : `${head}, ${command.length} characters, ${hashOf(command)}: ${command.slice(0, BEGINNING)}…`
}

function quoted(text: string): string {
  return /^[\w./~@+-]+$/.test(text) ? text : JSON.stringify(text)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}
