import type { Scope } from '../shell/scope.js'
import type { Call } from './call.js'
import { readOptions, valueOf } from './read-options.js'

const OPERANDS = [...'tSmog', 'target-directory']
const COPIERS = /^(?:cp|mv|ln|link|install|scp|rsync|dd)$/

/**
 * Keeps what files hold that a script copies, moves or links. A known program under another name is a script that runs
 * that program.
 */
export function keepCopies({ name, args }: Call, { files }: Scope, isProgram: (name: string) => boolean): void {
  if (!COPIERS.test(name)) return
  const directory = valueOf(args, '-t', '--target-directory')
  const operands = name === 'dd' ? ['if=', 'of='].flatMap((key) => (
    args.filter((arg) => arg.startsWith(key)).map((arg) => arg.slice(key.length))
  )) : readOptions(args, OPERANDS).operands
  const target = directory ?? operands.at(-1)
  for (const source of directory === undefined ? operands.slice(0, -1) : operands) {
    const text = files.get(source) ?? programText(source, isProgram)
    if (text === undefined || target === undefined) continue
    files.set(target, text)
    files.set(`${target}/${baseName(source)}`, text)
  }
}

/** A program as a script that runs it. */
export function programText(path: string, isProgram: (name: string) => boolean): string | undefined {
  const name = baseName(path)
  return isProgram(name) ? `${name} "$@"` : undefined
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? ''
}
