import { parseArgs } from 'node:util'
import type { HermesError } from '../../0-contracts/src/index.js'
import type { Flag } from '../../7-setup/src/index.js'
import { didYouMean, shellWord, usageError } from '../../0-text/src/index.js'

export type { Flag } from '../../7-setup/src/index.js'
export { didYouMean, oneOf, usageError } from '../../0-text/src/index.js'

/** Parsed arguments of one command. Names are those of its flags. */
export interface Arguments {
  positionals: readonly string[]
  /** Number of positionals before `--`; `undefined` where there is no `--`. */
  beforeDashes: number | undefined
  has(flag: string): boolean
  /** The value of a flag that is given at most once. */
  value(flag: string): string | undefined
  values(flag: string): readonly string[]
}

/**
 * Reads the arguments of a command.
 *
 * @throws HermesError `INVALID_OPTION` for unknown flags (with the nearest one), missing or superfluous values, and too
 * many positional arguments
 */
export function readArguments(argv: readonly string[], flags: readonly Flag[], maxPositionals = Infinity): Arguments {
  const given = new Map<string, string[]>()
  const positionals: string[] = []
  let beforeDashes: number | undefined
  const { tokens } = parseArgs({ args: [...argv], options: optionsOf(flags), strict: false, tokens: true })
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    else if (token.kind === 'option') addOption(given, token, flags)
    else beforeDashes = positionals.length
  }
  if (positionals.length > maxPositionals) {
    const hint = mostTaken(maxPositionals) + withEquals(tokens, flags)
    throw usageError(`Unexpected argument: ${positionals[maxPositionals]}`, hint)
  }
  return {
    positionals,
    beforeDashes,
    has: flag => given.has(flag),
    value: flag => given.get(flag)?.[0],
    values: flag => given.get(flag) ?? [],
  }
}

/** A hint on the first word that follows a flag which takes a value only after `=`. */
function withEquals(tokens: readonly Token[], flags: readonly Flag[]): string {
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    if (token.kind !== 'option' || token.value !== undefined || next?.kind !== 'positional') continue
    const { inlineValue, inlineValues = [] } = flags.find(({ name }) => name === token.name) ?? {}
    if (inlineValue !== undefined || inlineValues.includes(next.value)) {
      return ` Or did you mean ${shellWord(`--${token.name}=${next.value}`)}?`
    }
  }
  return ''
}

/** The given ones of these flags, as typed, each preceded by a space. */
export function givenFlags(args: Arguments, flags: readonly Flag[]): string {
  return flags.filter(({ name }) => args.has(name)).flatMap(({ name, value }) => {
    const between = value === undefined ? '=' : ' '
    const values = args.values(name)
    return values.length === 0 ? [` --${name}`] : values.map((each) => ` --${name}${between}${shellWord(each)}`)
  }).join('')
}

function mostTaken(count: number): string {
  if (count === 0) return 'Nothing but flags is taken here: see them with --help.'
  const most = count === 1 ? 'One is taken' : `At most ${count} are taken`
  return `${most}; see how with --help. A name that holds spaces is quoted.`
}

function optionsOf(flags: readonly Flag[]) {
  return Object.fromEntries(flags.map(({ name, value, short }) => [
    name, { type: value === undefined ? 'boolean' as const : 'string' as const, ...(short !== undefined && { short }) },
  ]))
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number]

interface OptionToken {
  name: string
  rawName: string
  value: string | undefined
  inlineValue: boolean | undefined
}

function addOption(given: Map<string, string[]>, token: OptionToken, flags: readonly Flag[]): void {
  const { name, rawName, value, inlineValue } = token
  const flag = flags.find(candidate => candidate.name === name)
  if (!flag) throw unknownFlag(name, rawName, flags)
  if (flag.value === undefined) {
    const allowed = flag.inlineValues ?? []
    if (flag.inlineValue !== undefined) {
      if (value === '') {
        throw usageError(`${rawName}= needs a value`, `Write --${name}=${flag.inlineValue}, or --${name}.`)
      }
      given.set(name, [...given.get(name) ?? [], ...(value === undefined ? [] : [value])])
      return
    }
    if (value !== undefined && !allowed.includes(value)) {
      const others = allowed.map(allowedValue => ` or ${rawName}=${allowedValue}`).join('')
      throw usageError(
        `${rawName} takes no ${allowed.length === 0 ? 'value' : 'such value'}`,
        `Write ${rawName}${others === '' ? ' alone' : others}.`,
      )
    }
    given.set(name, value === undefined ? [] : [value])
    return
  }
  const mayBeFlag = inlineValue === false && value !== undefined && value.length > 1 && value.startsWith('-')
  if (value === undefined || value === '' || mayBeFlag) {
    const hint = mayBeFlag ? ` A value that begins with a dash is written --${name}=${value}.` : ''
    throw usageError(`${rawName} needs a value`, `Write --${name} ${flag.value}.${hint}`)
  }
  const values = given.get(name) ?? []
  if (values.length > 0 && flag.repeatable !== true) throw usageError(`${rawName} is given twice`, 'Give it once.')
  given.set(name, [...values, value])
}

function unknownFlag(name: string, rawName: string, flags: readonly Flag[]): HermesError {
  const hint = didYouMean(name, flags.map(flag => flag.name), '--')
  return usageError(`Unknown flag: ${rawName}`, `${hint}See the flags with --help.`)
}
