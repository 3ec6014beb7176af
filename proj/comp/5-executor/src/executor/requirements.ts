import { addPackages, type AnyVerb } from '../../../0-contracts/src/index.js'
import { findPackage } from '../../../2-packages/src/index.js'
import { ownProgram } from '../../../2-processes/src/index.js'

/** What a verb needs and does not find. */
export interface Unmet {
  reason: string
  /** What the user can do. */
  fix: string
}

/** What was found once stays: a package or program that comes later is for the next start. */
const looked = new Map<string, boolean>()

/** `undefined` where a verb has what it needs. */
export function unmetRequirement({ requires = {} }: Pick<AnyVerb, 'requires'>): Unmet | undefined {
  const { env = [], programs = [], packages = [] } = requires
  const variable = env.find((name) => (process.env[name] ?? '') === '')
  if (variable !== undefined) {
    return { reason: `${variable} is not set`, fix: `Set ${variable}: hermes setup --key ${variable}` }
  }
  const program = programs.find((name) => !isThere(`program ${name}`, () => ownProgram(name) !== undefined))
  if (program !== undefined) return { reason: `${program} is not in PATH`, fix: `Install ${program}.` }
  const missing = packages.find((name) => !isThere(`package ${name}`, () => findPackage(name) !== undefined))
  return missing === undefined ? undefined
    : { reason: `the package ${missing} is not installed`, fix: `${addPackages(missing)}.` }
}

function isThere(what: string, look: () => boolean): boolean {
  const known = looked.get(what)
  if (known !== undefined) return known
  const found = look()
  looked.set(what, found)
  return found
}
