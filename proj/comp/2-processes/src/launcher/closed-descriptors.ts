import { openSync, readdirSync, readFileSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'

/** The flag of files that programs do not inherit, in the octal digits of Linux's `/proc/PID/fdinfo` (proc(5)). */
const CLOSED_AT_START = 0o2000000
const OWN_FILES = '/proc/self/fd'

let nothing: number | undefined

/**
 * The descriptors of a program, with nothing in place of those that whoever started hermes left open: a directory or a
 * socket would lead it out of its sandbox. Node closes its own, and of theirs only the first few.
 */
export function withoutInherited<D>(stdio: readonly D[]): (D | 'ignore' | number)[] {
  const all: (D | 'ignore' | number)[] = [...stdio]
  for (const number of inherited()) {
    const given = stdio[number]
    if (given !== undefined && given !== 'ignore') continue
    while (all.length < number) all.push('ignore')
    nothing ??= openSync('/dev/null', 'r+')
    all[number] = nothing
  }
  return all
}

/** Those that a program would inherit beyond the first three; none where the system does not tell. */
export function inherited(): number[] {
  if (process.platform !== 'linux') return []
  return orNothing(() => readdirSync(OWN_FILES), []).map(Number)
    .filter(number => number > 2 && isInherited(number)).sort((a, b) => a - b)
}

function isInherited(number: number): boolean {
  // The one that reads the directory is gone by now.
  const told = orNothing(() => readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'), '')
  const [, flags] = /^flags:\s*([0-7]+)/m.exec(told) ?? []
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_AT_START) === 0
}
