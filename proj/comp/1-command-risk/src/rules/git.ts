import { hasLong, readOptions, valueOf } from '../commands/read-options.js'
import { isEverything } from '../commands/paths.js'
import type { DangerName } from '../dangers.js'
import type { Rule } from './rule.js'
import { targetDanger } from './targets.js'

type GitRule = (args: readonly string[]) => DangerName | undefined

const SUBCOMMANDS: Readonly<Record<string, GitRule>> = {
  push(args) {
    const options = readOptions(args, ['o', 'push-option', 'repo', 'receive-pack'])
    if (options.short.has('n') || hasLong(options, 'dry-run', 3)) return undefined
    const isForced =
      options.short.has('f')
      || options.short.has('d')
      || options.long.some((one) => /^(?:force|mirror|delete|prune|del|forc|mirr|prun)/.test(one))
    return isForced || options.operands.some((ref) => /^[+:]/.test(ref)) ? 'git force push' : undefined
  },
  reset: (args) => (args.some((arg) => /^--(?:har|hard|merge|keep)/.test(arg)) ? 'git discard' : undefined),
  clean(args) {
    const options = readOptions(args, ['e', 'exclude'])
    if (options.short.has('n') || hasLong(options, 'dry-run')) return undefined
    return options.short.has('f') || hasLong(options, 'force') ? 'git discard' : undefined
  },
  checkout(args) {
    const { short, long, operands } = readOptions(args, ['b', 'B'])
    if (short.has('f') || long.some((one) => 'force'.startsWith(one) && one !== '') || short.has('B'))
      return 'git discard'
    const at = args.indexOf('--')
    return (at >= 0 ? args.slice(at + 1) : operands).some((path) => isEverything(path) || /[*]|.\/$/.test(path))
      ? 'git discard'
      : undefined
  },
  restore(args) {
    const { short, long, operands } = readOptions(args, ['s', 'source'])
    const isStagedOnly = (short.has('S') || long.includes('staged')) && !short.has('W') && !long.includes('worktree')
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
    args.some((arg) => /^--prune(?:=(?:now|all))?$|^--aggressive$/.test(arg) && arg !== '--aggressive')
      ? 'git history rewrite'
      : undefined,
  prune: (args) => (args.some((arg) => /^(?:-n|--dry-run)$/.test(arg)) ? undefined : 'git history rewrite'),
  'update-ref': (args) => (args.includes('-d') || args.includes('--stdin') ? 'git history rewrite' : undefined),
  replace: (args) => (args.includes('-d') ? 'git history rewrite' : undefined),
  submodule: (args) =>
    args[0] === 'deinit' && args.some((arg) => /^(?:-f|--force|--all)$/.test(arg)) ? 'git discard' : undefined,
  config(args) {
    const path = valueOf(args, '-f', '--file')
    return path === undefined ? undefined : targetDanger(path)
  },
  lfs: ([verb]) => (verb === 'prune' || verb === 'migrate' ? 'git history rewrite' : undefined),
}

/** git, whatever options stand before its subcommand. */
export const gitDanger: Rule = ({ args }) => {
  const { firstOperand } = readOptions(
    args,
    [...'cC', 'git-dir', 'work-tree', 'namespace', 'exec-path', 'config-env'],
    true,
  )
  const [subcommand = '', ...rest] = args.slice(firstOperand)
  if (rest.some((arg) => arg === '--help' || arg === '-h')) return undefined
  return Object.hasOwn(SUBCOMMANDS, subcommand) ? SUBCOMMANDS[subcommand]?.(rest) : undefined
}
