import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { orNothing } from '../../0-contracts/src/index.js'
import { isInside, passedOver, SYSTEM_BIN } from '../../2-processes/src/index.js'

/** Filter programs that run no code of their working directory. */
const KNOWN = new Set([
  'git-lfs', 'git-crypt', 'git-annex', 'cat', 'sed', 'tr', 'cut', 'sort', 'head', 'tail', 'grep', 'iconv', 'expand',
  'unexpand', 'dos2unix', 'unix2dos', 'gzip', 'gunzip', 'zcat', 'gpg', 'gpg2', 'openssl', 'age',
])
/** The same as git commands. */
const KNOWN_OF_GIT = new Set(['lfs', 'crypt', 'annex', 'stripspace'])
const SHELL = /^(?:ba|da|k|z)?sh$/
/** Programs that load modules, packages or settings from the working directory. */
const FINDS_CODE = new RegExp(String.raw`^(?:${[
  String.raw`python[\d.]*`, String.raw`pypy[\d.]*`, String.raw`ruby[\d.]*`, String.raw`perl[\d.]*`,
  String.raw`php[\d.]*`, String.raw`lua(?:jit)?[\d.]*`, 'node(?:js)?', 'deno', 'bun', 'tsx', 'ts-node', 'npx', 'bunx',
  'npm', 'pnpm', 'yarn', 'uv', 'uvx', 'pipx', 'poetry', 'pdm', 'hatch', 'bundle', 'rake', 'make', 'just', 'cargo', 'go',
  'java', 'jupyter(?:-.*)?', 'nb.*',
].join('|')})$`)
/** A word that a shell takes literally, possibly in quotes. */
const WORD = /"[^"$`\\]*"|'[^']*'|[\w./:@%+,=^~-]+/y

/**
 * Whether a filter of the user's configuration may run outside the sandbox: a single known program, or a script of the
 * user's own by its path. Others may load code from the directory in which git calls them, where a run may have put it.
 */
export function runsOutside(top: string, command: string): boolean {
  const [program = '', ...args] = plainWords(command) ?? []
  if (program === '' || program.includes('=') || pointsInto(top, command)) return false
  if (program.includes('/') && !liesOutside(top, program)) return false
  const name = basename(program)
  if (KNOWN.has(name)) return true
  if (name === 'git') return KNOWN_OF_GIT.has(args[0] ?? '')
  if (SHELL.test(name) || FINDS_CODE.test(name)) return liesOutside(top, args[0] ?? '')
  return liesOutside(top, program) && !isOfPath(program)
}

/** Whether a command's program loads code from its working directory, and is not given a script by path. */
export function findsCode(command: string): boolean {
  const words = wordsIn(command.replace(/^!/, ''))
  return words.some((word, at) => FINDS_CODE.test(basename(word)) && !/^[/~]/.test(words[at + 1] ?? ''))
}

/** Whether a command of the user has a program or script inside the work tree. */
export function pointsInto(top: string, command: string): boolean {
  return wordsIn(command).some((word, index) => {
    // A bare program name is searched in PATH.
    if (!word.includes('/') && index === 0) return false
    const path = pathOf(top, word)
    return isInside(top, path) && path !== top && isFile(path)
  })
}

/** Whether a path is a script or program that no run can write. */
function liesOutside(top: string, word: string): boolean {
  const path = pathOf(top, word)
  const isPath = isAbsolute(word) || word.startsWith('~/')
  return isPath && isFile(path) && !isInside(top, path) && passedOver(dirname(path)) === undefined
}

/** Whether a program is an installed one, of which it is unknown what it loads. */
function isOfPath(program: string): boolean {
  const directory = dirname(pathOf('/', program))
  return SYSTEM_BIN.has(directory) || (process.env['PATH'] ?? '').split(delimiter).includes(directory)
}

function pathOf(top: string, word: string): string {
  return word.startsWith('~/') ? join(homedir(), word.slice(2)) : resolve(top, word)
}

function isFile(path: string): boolean {
  return orNothing(() => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false, false)
}

function wordsIn(command: string): string[] {
  return command.split(/[\s;&|"'()<>=]+/).filter(word => word !== '')
}

/** The words of a command that a shell only splits; else `undefined`. */
function plainWords(command: string): string[] | undefined {
  const words = ['']
  for (let at = 0; at < command.length;) {
    WORD.lastIndex = at
    const [piece] = WORD.exec(command) ?? []
    if (piece !== undefined) {
      words.push((words.pop() ?? '') + (/^["']/.test(piece) ? piece.slice(1, -1) : piece))
      at += piece.length
    } else if (/[ \t]/.test(command[at] ?? '')) {
      words.push('')
      at++
    } else return undefined
  }
  return words.filter(word => word !== '')
}
