import { HermesError, type AnyVerb, type TerminalSettings } from '../../../../0-contracts/src/index.js'
import { isElsewhere } from '../../../../2-sandbox/src/index.js'

/** Verbs that only work on this machine, and what to use instead where the files are on another host. */
const ONLY_HERE: readonly { instead: string; has: (verb: Pick<AnyVerb, 'name' | 'category'>) => boolean }[] = [
  { instead: 'Run git there as a command.', has: ({ category }) => category === 'version_control' },
  {
    instead: 'search_files, grep and glob search there; so do commands.',
    has: ({ category }) => category === 'code_analysis',
  },
  { instead: 'Run it as a command that prints to its reply.', has: ({ name }) => name === 'proc.run' },
  { instead: 'Commands there tell it, such as uname -a or df.', has: ({ category }) => category === 'system' },
]

/** @throws HermesError `POLICY_DENIED` */
export function requireThere(verb: Pick<AnyVerb, 'name' | 'category'>, terminal: TerminalSettings): void {
  const hint = insteadOf(verb, terminal)
  if (hint === undefined) return
  throw new HermesError(
    'POLICY_DENIED',
    `${verb.name} works on this machine only, and the files are on another one (terminal.backend: ssh)`,
    { hint },
  )
}

/** What to use instead of a verb that would look at this machine, where the files are on another one. */
export function insteadOf(verb: Pick<AnyVerb, 'name' | 'category'>, terminal: TerminalSettings): string | undefined {
  return isElsewhere(terminal) ? ONLY_HERE.find(({ has }) => has(verb))?.instead : undefined
}

/**
 * Refuses callers that read this machine's files and its record of runs.
 *
 * @param what begins the message: `/undo`
 * @throws HermesError `POLICY_DENIED` where the user's settings have sessions work on another machine
 */
export function requireFilesHere(what: string, terminal: TerminalSettings): void {
  if (!isElsewhere(terminal)) return
  throw new HermesError(
    'POLICY_DENIED', `${what}: what was changed on another host (terminal.backend: ssh) is not known here`, {
      hint: 'Nothing was touched. Change it back there, or by its git. For runs on this machine, set terminal.backend '
        + 'to local first: hermes config set terminal.backend local.',
    },
  )
}
