import { hasLong, readOptions, valueOf } from '../commands/read-options.js'
import { isEverything } from '../commands/paths.js'
import type { DangerName } from '../dangers.js'
import type { Rule } from '../commands/call.js'
import { targetDanger } from './targets.js'

/** @param args those behind the subcommand */
type GitRule = (args: readonly string[]) => DangerName | undefined

/**
 * The subcommands that can lose work, each with what its arguments make of it. Long options count as far as git takes
 * them cut short; a dry run loses nothing.
 */
const SUBCOMMANDS: Readonly<Record<string, GitRule>> = {
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
  reset: (args) => (args.some((arg) => /^--(?:har|merge|keep)/.test(arg)) ? 'git discard' : undefined),
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
  switch: (args) => (args.some((arg) => /^(?:-f|--force|--discard-changes|-C)$/.test(arg)) ? 'git discard' : undefined),
  stash: ([verb]) => (verb === 'drop' || verb === 'clear' ? 'git discard' : undefined),
  branch(args) {
    const { short, long } = readOptions(args)
    const isForced =
      short.has('D')
      || short.has('M')
      || ((short.has('d') || long.includes('delete')) && (short.has('f') || long.includes('force')))
    return isForced ? 'git discard' : undefined
  },
  worktree: (args) =>
    args[0] === 'remove' && args.some((arg) => /^(?:-f|--force)$/.test(arg)) ? 'git discard' : undefined,
  rm(args) {
    const { short, long } = readOptions(args)
    if (long.includes('cached') || short.has('n') || long.includes('dry-run')) return undefined
    return short.has('r') ? 'recursive delete' : undefined
  },
  'filter-branch': () => 'git history rewrite',
  'filter-repo': () => 'git history rewrite',
  reflog: ([verb]) => (verb === 'expire' || verb === 'delete' ? 'git history rewrite' : undefined),
  gc: (args) =>
    args.some((arg) => /^--prune(?:=(?:now|all))?$/.test(arg)) ? 'git history rewrite' : undefined,
  prune: (args) => (args.some((arg) => /^(?:-n|--dry-run)$/.test(arg)) ? undefined : 'git history rewrite'),
  'update-ref': (args) => (args.includes('-d') || args.includes('--stdin') ? 'git history rewrite' : undefined),
  replace: (args) => (args.includes('-d') ? 'git history rewrite' : undefined),
  submodule: (args) =>
    args[0] === 'deinit' && args.some((arg) => /^(?:-f|--force|--all)$/.test(arg)) ? 'git discard' : undefined,
  config(args) {
    const file = valueOf(args, '-f', '--file')
    return file === undefined ? undefined : targetDanger(file)
  },
  lfs: ([verb]) => (verb === 'prune' || verb === 'migrate' ? 'git history rewrite' : undefined),
}

/** Options of git itself that take the next argument as their value. */
const VALUED_BEFORE_SUBCOMMAND = [...'cC', 'git-dir', 'work-tree', 'namespace', 'exec-path', 'config-env']

/** Judges a call of git, or of hub, by its subcommand, whatever options of git itself stand before that. */
export const gitDanger: Rule = ({ args }) => {
  const { firstOperand } = readOptions(args, VALUED_BEFORE_SUBCOMMAND, true)
  const [subcommand = '', ...argsOfIt] = args.slice(firstOperand)
  if (argsOfIt.some((arg) => arg === '--help' || arg === '-h')) return undefined
  return Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand]?.(argsOfIt) : undefined
}
