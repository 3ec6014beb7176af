import { shellWord } from '../../../0-text/src/index.js'

/** What may stand behind the name on a command line; a text may also say that hermes does something. */
let typed: RegExp | undefined

/** How hermes is called here: whom npx or a script of npm started may have it nowhere in PATH. */
export function ownName({ npm_command: command }: NodeJS.ProcessEnv = process.env): string {
  return command !== undefined && ['exec', 'run', 'run-script'].includes(command) ? 'npx hermes' : 'hermes'
}

/** Says which commands there are, for `asTyped`. */
export function knowCommands(names: readonly string[]): void {
  typed = new RegExp(String.raw`(?<![\w./~-]|npx )hermes (?=(?:${names.join('|')}|COMMAND|--\w+)(?![\w-]))`, 'g')
}

/** Commands about the runs of a root, in a line that does not name the root yet. */
const OF_ROOT =
  /(?<![\w./~-])hermes (?:undo|redo|log|recover|step-back|step-forward|squash)(?![\w-])(?![^\n]*--root)/g
let rootFlag = ''

/** Says in which root the command works, for `asTyped`: the commands that it names work in the same. */
export function knowRoot(root: string | undefined): void {
  rootFlag = root === undefined ? '' : ` --root ${shellWord(root)}`
}

/** A text for people, with the commands in it as they have to be typed here. Not for models, and not for files. */
export function asTyped(text: string): string {
  const name = ownName()
  const placed = rootFlag === '' ? text : text.replace(OF_ROOT, (command) => `${command}${rootFlag}`)
  return typed === undefined || name === 'hermes' ? placed : placed.replace(typed, `${name} `)
}
