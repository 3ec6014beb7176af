import { usageError, type Arguments } from '../../arguments.js'
import { interruptible } from '../../io/interrupt.js'
import { requireOwnFlags, unknownSubcommand } from '../../subcommand.js'
import { check, get, paths, show } from './show.js'

const ACTIONS = ['show', 'check', 'get', 'set', 'edit', 'migrate', 'path']
/** The flags that only some of them take. */
const TAKEN_BY: Readonly<Record<string, readonly string[]>> = {
  project: ['set', 'edit', 'migrate'], unset: ['set'], yes: ['migrate'], json: ['show', 'check', 'get', 'path'],
}

/** `hermes config`: what counts and where it comes from, and changes of the files. */
export async function config(args: Arguments): Promise<number> {
  const [action = 'show', key, ...values] = args.positionals
  if (!ACTIONS.includes(action)) throw unknownSubcommand('config', action, ACTIONS)
  requireOwnFlags('config', action, args, TAKEN_BY)
  const takesKey = action === 'get' || action === 'set'
  if (takesKey && key === undefined) {
    throw usageError(`config ${action}: no KEY given`, 'Such as verbs.exec; hermes config show has all.')
  }
  if ((!takesKey && key !== undefined) || (action === 'get' && values.length > 0)) {
    throw usageError(`Unexpected argument: ${takesKey ? values[0] : key}`, 'See hermes config --help.')
  }
  if (action === 'show') return show(args)
  if (action === 'check') return check(args)
  if (action === 'path') return paths(args)
  if (action === 'get') return get(args, key ?? '')
  const { edit, migrate, set } = await import('./write.js')
  if (action === 'set') return set(args, key ?? '', values)
  const interrupt = interruptible()
  return interrupt.during(() => (action === 'edit' ? edit(args, interrupt) : migrate(args, interrupt)))
}
