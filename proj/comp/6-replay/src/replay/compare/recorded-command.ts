import type { ParsedBlock } from '../../../../0-contracts/src/index.js'

/** Parameters that hold a command, by verb. */
const COMMANDS = new Map<string, readonly string[]>([
  ['execute_command', ['command']], ['exec', ['code']],
  ['proc.run', ['executable', 'arguments']], ['proc_run', ['executable', 'arguments']],
])
/** Programs, shell functions and patterns that print names of files. */
const PROGRAMS = [
  'ls', 'll', 'dir', 'vdir', 'tree', 'find', 'fd', 'fdfind', 'eza', 'lsd', 'git', 'grep', 'rg', 'ag', 'du', 'stat',
  'wc', 'tar', 'rsync',
]
const FUNCTIONS = ['listdir', 'scandir', 'readdir\\w*', 'iterdir', 'r?glob\\w*', 'walk', 'Dir']
const LISTS = new RegExp(
  `(?:^|[\\s;&|("'\`/={!\\[,])(?:${PROGRAMS.join('|')})(?![\\w.-])|(?:^|\\W)(?:${FUNCTIONS.join('|')})(?!\\w)|\\*`,
)

/** The command that a block runs; `undefined` where it runs none. */
export function commandIn({ action, params }: ParsedBlock): string | undefined {
  const names = COMMANDS.get(action.toLowerCase())
  return names?.flatMap((name) => params[name]).filter((text) => typeof text === 'string').join(' ')
}

/** Whether a command may print the names in a directory. */
export function listsNames(command: string): boolean {
  return LISTS.test(command)
}

/** The block with its command changed. */
export function withCommand(block: ParsedBlock, change: (command: string) => string): ParsedBlock {
  const names = COMMANDS.get(block.action.toLowerCase()) ?? []
  const changed = names.filter((name) => name in block.params)
    .map((name) => [name, changedIn(block.params[name], change)])
  return changed.length === 0 ? block
    : { ...block, params: { ...block.params, ...Object.fromEntries(changed) as object } }
}

function changedIn(value: unknown, change: (command: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  return Array.isArray(value) ? value.map((item) => changedIn(item, change)) : value
}
