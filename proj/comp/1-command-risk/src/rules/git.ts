import { hasLong, readOptions, valueOf } from '../commands/read-options.js'
import { isEverything } from '../commands/paths.js'
import type { DangerName } from '../dangers.js'
import type { Rule } from '../commands/call.js'
import { targetDanger } from './targets.js'

/** The subcommands that lose work where what stands behind them, joined by blanks, matches. */
const WHERE: readonly (readonly [subcommands: string, pattern: RegExp, danger: DangerName])[] = [
  ['reset', /(?:^|\s)--(?:har|merge|keep)/, 'git discard'],
  ['switch', /(?:^|\s)(?:-f|--force|--discard-changes|-C)(?:\s|$)/, 'git discard'],
  ['stash', /^(?:drop|clear)(?:\s|$)/, 'git discard'],
  ['worktree', /^remove\s(?:.*\s)?(?:-f|--force)(?:\s|$)/, 'git discard'],
  ['submodule', /^deinit\s(?:.*\s)?(?:-f|--force|--all)(?:\s|$)/, 'git discard'],
  ['filter-branch filter-repo', /^/, 'git history rewrite'],
  ['reflog', /^(?:expire|delete)(?:\s|$)/, 'git history rewrite'],
  ['gc', /(?:^|\s)--prune(?:=(?:now|all))?(?:\s|$)/, 'git history rewrite'],
  ['prune', /^(?!(?:.*\s)?(?:-n|--dry-run)(?:\s|$))/, 'git history rewrite'],
  ['update-ref replace', /(?:^|\s)(?:-d|--stdin)(?:\s|$)/, 'git history rewrite'],
  ['lfs', /^(?:prune|migrate)(?:\s|$)/, 'git history rewrite'],
]

/**
 * Other subcommands that can lose work. Long options count as far as git takes them cut short; a dry run loses nothing.
 *
 * @param args those behind the subcommand
 */
const SUBCOMMANDS: Readonly<Record<string, (args: readonly string[]) => DangerName | undefined>> = {
  push(args) {
    const options = readOptions(args, ['o', 'push-option', 'repo', 'receive-pack'])
    if (options.short.has('n') || hasLong(options, 'dry-run', 3)) return undefined
    const isForced =
      options.short.has('f')
      || options.short.has('d')
      || options.long.some((option) => /^(?:forc|mirr|del|prun)/.test(option))
    const isForcedRef = (operand: string): boolean => /^[+:]/.test(operand)
    return isForced || options.operands.some(isForcedRef) ? 'git force push' : undefined
  },
  clean(args) {
    const options = readOptions(args, ['e', 'exclude'])
    if (options.short.has('n') || hasLong(options, 'dry-run')) return undefined
    return options.short.has('f') || hasLong(options, 'force') ? 'git discard' : undefined
  },
  checkout(args) {
    const options = readOptions(args, ['b', 'B'])
    if (options.short.has('f') || hasLong(options, 'force') || options.short.has('B')) return 'git discard'
    const dashes = args.indexOf('--')
    const paths = dashes >= 0 ? args.slice(dashes + 1) : options.operands
    // Several files at once: everything, what a pattern finds, a directory. A single file is no danger.
    return paths.some((path) => isEverything(path) || /[*]|.\/$/.test(path)) ? 'git discard' : undefined
  },
  restore(args) {
    const { short, long, operands } = readOptions(args, ['s', 'source'])
    const isStagedOnly = (short.has('S') || long.includes('staged')) && !short.has('W') && !long.includes('worktree')
    // `:/` is the whole work tree.
    return !isStagedOnly && operands.some((path) => isEverything(path) || /[*]|^:\/$/.test(path))
      ? 'git discard'
      : undefined
  },
  branch(args) {
    const { short, long } = readOptions(args)
    const isForced =
      short.has('D')
      || short.has('M')
      || ((short.has('d') || long.includes('delete')) && (short.has('f') || long.includes('force')))
    return isForced ? 'git discard' : undefined
  },
  rm(args) {
    const { short, long } = readOptions(args)
    if (long.includes('cached') || short.has('n') || long.includes('dry-run')) return undefined
    return short.has('r') ? 'recursive delete' : undefined
  },
  config: (args) => targetDanger(valueOf(args, '-f', '--file')),
}

/** Options of git itself that take the next argument as their value. */
const VALUED_BEFORE_SUBCOMMAND = [...'cC', 'git-dir', 'work-tree', 'namespace', 'exec-path', 'config-env']

/** Judges a call of git, or of hub, by its subcommand, whatever options of git itself stand before that. */
export const gitDanger: Rule = ({ args }) => {
  const { firstOperand } = readOptions(args, VALUED_BEFORE_SUBCOMMAND, true)
  const [subcommand = '', ...argsOfIt] = args.slice(firstOperand)
  if (argsOfIt.some((arg) => arg === '--help' || arg === '-h')) return undefined
  if (Object.hasOwn(SUBCOMMANDS, subcommand)) return SUBCOMMANDS[subcommand]?.(argsOfIt)
  const text = argsOfIt.join(' ')
  return WHERE.find(([names, pattern]) => names.split(' ').includes(subcommand) && pattern.test(text))?.[2]
}
