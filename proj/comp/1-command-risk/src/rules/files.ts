import { hasLong, readOptions, valueOf } from '../commands/read-options.js'
import { isDisk, isEverything, isHome, isStartupFile, isSystemPath, plainPath } from '../commands/paths.js'
import { isKnown, isListed } from '../shell/taint.js'
import type { Rule } from '../commands/call.js'
import { targetDanger } from './targets.js'

const rm: Rule = ({ args }) => {
  const options = readOptions(args)
  if (options.short.has('r') || options.short.has('R') || hasLong(options, 'recursive')) return 'recursive delete'
  // Options with unknown parts: assume that they are hidden on purpose.
  if (args.some((arg) => arg.startsWith('-') && !isKnown(arg))) return 'recursive delete'
  return deletes(options.operands)
}

const unlink: Rule = ({ args }) => deletes(readOptions(args, ['s', 'n', 'm']).operands)

function deletes(paths: readonly string[]) {
  if (paths.some((path) => /^\/var\/log\/|\.(?:bash|zsh)_history$/.test(plainPath(path)))) return 'traces removed'
  if (paths.some((path) => isSystemPath(path) || isHome(path) || isStartupFile(path))) return 'delete in a system path'
  return paths.some((path) => isEverything(path) || isListed(path)) ? 'mass delete' : undefined
}

const move: Rule = ({ args, name }) => {
  const { operands } = readOptions(args, ['t', 'S', 'm', 'o', 'g', 'target-directory'])
  const directory = valueOf(args, '-t', '--target-directory')
  const target = directory ?? (operands.length > 1 || name === 'ln' ? operands.at(-1) : undefined)
  const sources = directory === undefined ? operands.slice(0, -1) : operands
  if (name === 'mv' && (target === '/dev/null' || sources.some((path) => isSystemPath(path) || isHome(path))))
    return 'delete in a system path'
  if (name === 'ln' && sources.includes('/dev/null') && target !== undefined)
    return targetDanger(target) && 'traces removed'
  return targetDanger(target)
}

/** A remote path does no harm here. */
const toHosts =
  (valued: readonly string[]): Rule =>
  ({ args }) => {
    const { long, operands } = readOptions(args, valued)
    if (long.some((option) => /^(?:del$|delete|remove-source-files)/.test(option))) return 'mass delete'
    const target = operands.length > 1 ? operands.at(-1) : undefined
    return target !== undefined && /^[^/]*:/.test(target) ? undefined : targetDanger(target)
  }

/** Programs that write to the files they are given. */
const writes: Rule = ({ args, name }) => {
  const { operands } = readOptions(args, ['s', 'r', 'size', 'reference'])
  const isMany = name === 'truncate' && operands.some((path) => /[*?]/.test(path))
  return operands.map(targetDanger).find(Boolean) ?? (isMany ? 'mass delete' : undefined)
}

/** `dd`: overwrites what `of` names; also reading from a disk is reported. */
const dd: Rule = ({ args }) => {
  const target = args.find((arg) => arg.startsWith('of='))?.slice(3)
  if (args.some((arg) => isDisk(arg.replace(/^[io]f=/, '')))) return 'disk write'
  return target === '/dev/null' ? undefined : targetDanger(target)
}

const inPlace: Rule = ({ args }) => {
  if (!args.some((arg) => /^-\w*i|^--in-place/.test(arg))) return undefined
  return args
    .filter((arg) => (arg.includes('/') && !/^(?:s|\/|\d+,)/.test(arg.slice(0, 2))) || arg.startsWith('/etc/'))
    .map(targetDanger)
    .find(Boolean)
}

const unpack: Rule = ({ args, name }) => {
  const directory = name === 'tar' ? valueOf(args, '-C', '--directory') : valueOf(args, '-d')
  const isUnpacking =
    name !== 'tar' || /x/.test(args[0] ?? '') || args.some((arg) => /^(?:-\w*x|--extract|--get)/.test(arg))
  if (args.includes('--remove-files')) return 'mass delete'
  return directory !== undefined && isUnpacking && isSystemPath(directory) ? 'overwrite of a system file' : undefined
}

export const FILE_RULES: Readonly<Record<string, Rule>> = {
  rm,
  'unlink rmdir': unlink,
  shred: ({ args }) => (args.some(isDisk) ? 'disk write' : undefined),
  'mv cp ln install': move,
  'tee truncate': writes,
  'sed perl ruby': inPlace,
  rsync: toHosts([...'efBT', 'rsh', 'exclude', 'include', 'filter']),
  scp: toHosts([...'cFiJloPSX']),
  'tar bsdtar unzip': unpack,
  'dd dc3dd dcfldd ddrescue': dd,
}
